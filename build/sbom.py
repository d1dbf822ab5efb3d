"""Write the bill of materials of a release, in CycloneDX's JSON.

Usage: ``target/tools/release/bin/python build/sbom.py dist/NAME.whl > dist/NAME.cdx.json``.
It names the wheel and each jar in it, by their hashes. There is nothing else to name:
Spark is the user's own, and neither the wheel nor a jar holds code of others.
"""

from __future__ import annotations

import hashlib
import sys
import uuid
import zipfile
from datetime import datetime, timezone
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

LIST = Path(__file__).resolve().parent.parent / "python" / "match_recognize" / "sparks.txt"

#: By minor version, the Spark that its jar is compiled against.
SPARKS = {
    words[0]: words[2]
    for words in map(str.split, LIST.read_text().splitlines())
    if words[0] != "#"
}


def component(name: str, url: PackageURL, version: str, content: bytes) -> Component:
    """A file of ours.

    Args:
        name: what it is called.
        url: where a registry has it.
        version: its version.
        content: its bytes, to be hashed.
    """
    digest = hashlib.sha256(content).hexdigest()
    return Component(
        type=ComponentType.LIBRARY,
        name=name,
        version=version,
        purl=url,
        bom_ref=str(url),
        licenses=[LicenseFactory().make_with_id("Apache-2.0")],
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)],
    )


def spark_of(jar: str) -> Component:
    """The Spark that a jar is for, which it does not hold."""
    minor, scala = jar.removeprefix("spark-match-recognize-spark-").split("-")[0].split("_")
    group, name = "org.apache.spark", f"spark-sql_{scala}"
    url = PackageURL("maven", group, name, SPARKS[minor])
    return Component(
        type=ComponentType.LIBRARY,
        group=group,
        name=name,
        version=SPARKS[minor],
        purl=url,
        bom_ref=str(url),
        scope=ComponentScope.EXCLUDED,
    )


def bill(wheel: Path) -> Bom:
    """What a wheel is made of."""
    version = wheel.name.split("-")[1]
    content = wheel.read_bytes()
    name = "spark-match-recognize"
    whole = component(name, PackageURL("pypi", None, name, version), version, content)
    bom = Bom()
    bom.metadata.component = whole
    # The same bytes each time: named by what it is about, and without a time.
    bom.serial_number = uuid.uuid5(uuid.NAMESPACE_OID, hashlib.sha256(content).hexdigest())
    bom.metadata.timestamp = datetime.fromtimestamp(0, tz=timezone.utc)
    with zipfile.ZipFile(wheel) as files:
        for path in sorted(path for path in files.namelist() if path.endswith(".jar")):
            file = Path(path).name
            artifact = file.removesuffix(f"-{version}.jar")
            url = PackageURL("maven", "org.matchrecognize", artifact, version)
            jar = component(artifact, url, version, files.read(path))
            spark = spark_of(file)
            bom.components.update([jar, spark])
            bom.register_dependency(whole, [jar])
            bom.register_dependency(jar, [spark])
    return bom


if __name__ == "__main__":
    text = JsonV1Dot6(bill(Path(sys.argv[1]))).output_as_string(indent=2)
    wrong = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if wrong is not None:
        sys.exit(f"not CycloneDX: {wrong}")
    print(text)
