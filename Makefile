# What there is to do in this checkout; `make help` lists it. Needs git, make, a JDK 17, Maven and Python 3.11.

SHELL       := bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

# The build decides which Spark it uses, not the shell that it was started from.
unexport SPARK_HOME
# Spark listens there and nowhere else, whatever the name of this machine resolves to.
export SPARK_LOCAL_IP ?= 127.0.0.1

PYTHON  ?= python3
VENV    := .venv/bin
VERSION := $(shell cat VERSION)
# What a jar is built for, the newest last, and the pysparks that the tests run on.
MINORS  := $(shell awk '!/^\#/ { print $$1 }' python/match_recognize/sparks.txt)
SPARKS  := $(shell awk '!/^\#/ { print $$4 }' python/match_recognize/sparks.txt)
OLDEST  := $(firstword $(SPARKS))
NEWEST  := $(lastword $(SPARKS))
comma   := ,

JAR := python/match_recognize/jars/spark-match-recognize-spark-4.3_2.13-$(VERSION).jar
# With the folders, whose times change when a file is added or goes.
JAR_SOURCES := $(shell find jvm/src/main -not -name '.*') build.sbt $(wildcard project/*.sbt project/*.scala) \
               project/build.properties VERSION LICENSE build/requirements.txt

## demo: answer six questions, five about real stock prices (makes .venv and the jar first)
.PHONY: demo
demo: $(JAR)
	$(VENV)/python -m match_recognize.demo

# Under build/parts.py, each test file adds a line to the tables of the run.
PYTEST := $(VENV)/python -m pytest
ifdef PART_LOG
export PYTHONPATH := $(CURDIR)/build
export PYTEST_ADDOPTS := -p suite_log --durations=15 --durations-min=5 $(PYTEST_ADDOPTS)
endif

## test: build, and run the tests on the newest Spark, Scala's beside Python's (test-scala, test-python)
.PHONY: test test-scala test-python
test:
	$(PYTHON) build/parts.py test

test-scala: .venv/complete
	build/sbt jvm/test

test-python: $(JAR)
	$(VENV)/python tests/python/java_options.py
	$(PYTEST)

## fuzz: test random cases with new seeds until interrupted, or for FUZZ_MINUTES, then the next number of tests/seeds.txt
## fuzz: (FUZZ_SEED repeats a case, FUZZ_SUITES selects suites)
.PHONY: fuzz
# The suites without Spark, which run in parallel with the others (build.sbt's testGrouping), and all.
FUZZ_MATCHERS := *ThreadMatcherSuite *AutomatonMatcherSuite *PartitionSearchSuite *FlinkSearchSuite \
                 *JointSearchSuite *SkippedRowsSuite *OnePassSuite *JoinedRangesSuite
FUZZ_SUITES   := $(FUZZ_MATCHERS) *RandomQueriesInSparkSuite *PushedFiltersRandomSuite *NeighboursRandomSuite \
                 *TestedRowsSuite *TablesRandomSuite *FusedConditionsOnMatchSuite *SameExpressionSuite *MatcherStateSuite \
                 *ErrorsInConditionsSuite *ClassifiedRowsSuite *MissingRowsSuite *ParserFuzzSuite *StreamedQueriesSuite \
                 *StreamedQueriesInEntriesSuite *ResumedRandomSuite *ResumedRandomInEntriesSuite *ExplainRandomSuite \
                 *SurroundingsSuite *PlanExpressionsSuite *WatermarkSuite *StreamedPipelinesSuite \
                 *StreamedPipelinesInEntriesSuite *ArrivalOrderSuite *ArrivalOrderInEntriesSuite *RealTimeRandomSuite \
                 *RangesRandomSuite
# A round takes about FUZZ_MINUTES and has its own seeds. Each suite gets an equal part of it: the suites with Spark
# run one after another and share the round, the matchers' get parts of the same length. A suite divides its part
# among its tests (the shares in Fuzz.batches).
FUZZ_ROUND    := $(or $(FUZZ_MINUTES),30)
FUZZ_SECONDS   = $(shell expr $(FUZZ_ROUND) \* 60 / $(words $(or $(filter-out $(FUZZ_MATCHERS),$(FUZZ_SUITES)),$(FUZZ_SUITES))))
# The next number is tried after all suites, not after some.
FUZZ_END = $(if $(and $(FUZZ_MINUTES),$(filter file,$(origin FUZZ_SUITES))),exec $(MAKE) --no-print-directory next-seeds,exit 0)
fuzz: .venv/complete
	@while build/sbt "set jvm / Test / javaOptions ++= Seq(\"-DmatchRecognize.fuzzSeconds=$(FUZZ_SECONDS)\", \
	  \"-DmatchRecognize.fuzzSeed=$(or $(FUZZ_SEED),$$(date +%s)0000000)\")" 'jvm/testOnly $(FUZZ_SUITES)'; do \
	  $(if $(FUZZ_MINUTES)$(FUZZ_SEED),$(FUZZ_END),:); \
	done; exit 1

## next-seeds: test what the merge gate would draw under the next number of tests/seeds.txt, and write that number
.PHONY: next-seeds
NEXT_SEEDS = $(shell awk '!/^\#/ { print $$1 + 1 }' tests/seeds.txt)
next-seeds: export MATCH_RECOGNIZE_SEEDS := $(NEXT_SEEDS)
next-seeds: $(JAR)
	build/sbt 'jvm/testOnly $(FUZZ_SUITES)'
	$(PYTEST) -m seeds
	sed -i.old '/^[0-9]/s/.*/$(MATCH_RECOGNIZE_SEEDS)/' tests/seeds.txt && rm tests/seeds.txt.old

## chaos: kill streaming queries at random moments, in real-time mode too, and compare what they write with the answer
.PHONY: chaos
KILLS := 50
chaos: $(JAR)
	KILLS=$(KILLS) KILLS_SEED=$$(date +%s) $(PYTEST) -m nightly tests/python/streaming/test_kills.py
	MATCH_RECOGNIZE_DRAWS=nightly build/sbt 'jvm/testOnly *RealTimeKillsSuite'

## bench: run the benchmarks on 10 M rows (benchmarks/README.md) and write REPORT.md; takes hours
.PHONY: bench bench-quick bench-only bench-matchers bench-streaming bench-latency bench-report
bench: bench-only bench-matchers bench-streaming bench-report

## bench-only: run a part of the benchmarks: BENCH='--only Q1,Q3 --lanes sorted'
BENCH :=
bench-only: $(JAR)
	build/tools engines
	$(VENV)/python -m benchmarks $(BENCH)

## bench-quick: run the benchmarks on 1 M rows in 3 rounds, and write target/bench-quick.md
bench-quick: $(JAR)
	build/tools engines
	$(VENV)/python -m benchmarks --rows 1000000 --pairs 3 --limit 60 --budget 20 --results target/bench-quick.json $(BENCH)
	$(VENV)/python -m benchmarks.report --results target/bench-quick.json --output target/bench-quick.md

## bench-compare: run bench-quick, and warn of lines that are slower by a third than in benchmarks/quick.json
.PHONY: bench-compare
bench-compare: bench-quick
	$(VENV)/python -m benchmarks.compare benchmarks/quick.json target/bench-quick.json

## bench-matchers: measure the matchers alone, with JMH
JMH      :=
JMH_FILE := jmh.json
bench-matchers: .venv/complete
	build/sbt 'jmh/Jmh/run -rf json -rff $(CURDIR)/benchmarks/$(JMH_FILE) $(JMH)'

## bench-latency: measure the milliseconds from a row to its match, in real-time mode and in micro-batches; LATENCY='5000 50000 60'
LATENCY := 5000 50000 60
bench-latency: .venv/complete
	build/sbt 'jvm/Test/runMain org.matchrecognize.spark.streaming.RealTimeLatency $(LATENCY)'

## bench-streaming: measure streaming queries, and Flink next to them; STREAMING='--only hour --hour-rows 1000000'
STREAMING  :=
FLINK_JARS := target/flink/complete
bench-streaming: $(JAR) $(FLINK_JARS)
	build/tools flink
	$(VENV)/python -m benchmarks.streaming $(STREAMING)

$(FLINK_JARS): benchmarks/streaming/flink.xml
	rm -rf $(@D)
	mvn --batch-mode --quiet --file $< \
	  org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=$(CURDIR)/$(@D)
	@touch $@

## flink-cep: run the calls of docs/cep.md in Flink's CEP library, and compare the matches
.PHONY: flink-cep
flink-cep: .venv/complete
	build/tools flink
	$(VENV)/python build/flink_cep.py

## bench-report: write benchmarks/REPORT.md from the saved results
bench-report: .venv/complete
	$(VENV)/python -m benchmarks.report

## example-checkouts: run examples/abandoned_checkouts, a streaming query from Kafka to Kafka
## example-takeover: run examples/account_takeover, a streaming query with late events
.PHONY: example-checkouts example-takeover
# The newest Spark that has a connector for Kafka on Maven (examples/kafka/connector.xml).
KAFKA_SPARK := $(filter 4.2.%,$(SPARKS))
KAFKA_JAR   := python/match_recognize/jars/spark-match-recognize-spark-4.2_2.13-$(VERSION).jar
example-checkouts: EXAMPLE := abandoned_checkouts
example-takeover:  EXAMPLE := account_takeover
example-checkouts example-takeover: $(KAFKA_JAR)
	build/venv $(KAFKA_SPARK)
	PYTHONPATH=python target/compat/$(KAFKA_SPARK)/bin/python -m examples.$(EXAMPLE)

$(KAFKA_JAR): $(JAR_SOURCES) .venv/complete
	build/sbt "spark 4.2" jvm/pythonJar
	@touch $@

## example-pipeline: run examples/pipeline, a declarative pipeline with two clauses in a row
.PHONY: example-pipeline
example-pipeline: $(JAR)
	PYTHONPATH=python $(VENV)/python -m examples.pipeline

## lint: check format and style of all sources, and the types of the Python sources
.PHONY: lint lint-python lint-scala
lint: lint-python lint-scala

ISSUE_FORMS := .github/ISSUE_TEMPLATE
lint-python: .venv/complete
	$(VENV)/ruff check
	$(VENV)/ruff format --check
	$(VENV)/mypy
	$(VENV)/pyright
	$(VENV)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(VENV)/check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
	$(VENV)/check-jsonschema --builtin-schema vendor.github-issue-config $(ISSUE_FORMS)/config.yml
	$(VENV)/check-jsonschema --builtin-schema vendor.github-issue-forms \
	  $(filter-out %/config.yml,$(wildcard $(ISSUE_FORMS)/*.yml))
	@# The types of what users import must be written, since type checkers infer others.
	@cd python && PATH=$(CURDIR)/$(VENV):$$PATH && \
	  found=$$(pyright --verifytypes match_recognize --ignoreexternal) || { echo "$$found"; exit 1; }

lint-scala: .venv/complete
	build/sbt scalafmtCheckAll scalafmtSbtCheck "scalafixAll --check"

## format: fix what lint reports, if it can be fixed automatically
.PHONY: format
# sbt-scalafmt 2.6.2 remembers the files that failed the check, and stumbles where one is gone.
format: .venv/complete
	rm -rf jvm/target/*/streams/*/scalafmt
	build/sbt scalafmtSbt scalafmtAll scalafixAll scalafmtAll
	$(VENV)/ruff check --fix --exit-zero
	$(VENV)/ruff format

## jar: build the jar for the default Spark, into the Python package
.PHONY: jar
jar: $(JAR)

$(JAR): $(JAR_SOURCES) .venv/complete
	build/sbt jvm/pythonJar
	@touch $@

## jars: build the jars for all five Sparks, into the Python package
.PHONY: jars
# One sbt for all that remain: its start takes as long as a jar. The newest jar may be in use meanwhile.
JARS := target/jars
jars: $(JARS)

$(JARS): $(JAR)
	find $(dir $(JAR)) -name '*.jar' ! -name $(notdir $(JAR)) -delete
	build/sbt $(foreach minor,$(filter-out $(lastword $(MINORS)),$(MINORS)),"spark $(minor)" jvm/pythonJar)
	@touch $@ $(KAFKA_JAR)

## wheel: build dist/*.whl, with all five jars inside
.PHONY: wheel
WHEEL := dist/spark_match_recognize-$(VERSION)-py3-none-any.whl
wheel: $(WHEEL)

$(WHEEL): $(JARS) pyproject.toml README.md $(shell find python -not -name '.*' -not -path '*/__pycache__*' -not -path '*/jars*')
	rm -rf dist
	$(VENV)/python -m build --wheel --no-isolation
	$(VENV)/python build/check_wheel.py $@

## release: stage the files of a release in dist/: wheel, sdist, jars, sources, javadoc, POMs, SBOM; publishes nothing
.PHONY: release
# Where the project lives, for the POMs and the metadata of the Python package.
export PROJECT_URL ?=
SBOM := $(WHEEL:-py3-none-any.whl=.cdx.json)
release: $(WHEEL)
	rm -rf dist/maven
	$(VENV)/python -m build --sdist --no-isolation
	build/sbt $(foreach minor,$(MINORS),"spark $(minor)" jvm/publish)
	build/tools release
	target/tools/release/bin/twine check --strict dist/*.whl dist/*.tar.gz
	target/tools/release/bin/python build/sbom.py $(WHEEL) > $(SBOM)
	$(VENV)/python build/check_release.py

## reproducible: build the jars and the wheel twice, in two folders, and compare their bytes; SPARK=4.3 for one jar
.PHONY: reproducible
reproducible: .venv/complete
	build/reproducible $(SPARK)

## surfaces: test real servers and clusters with their clients: Thrift, Connect, standalone, history, dbt, Kafka
.PHONY: surfaces
# Delta, Iceberg and Hudi run on other Sparks than the newest.
surfaces: $(JARS)
	$(PYTEST) tests/surfaces

## docs: build the site of docs/ in target/site
.PHONY: docs
docs: .venv/complete
	build/tools docs
	NO_MKDOCS_2_WARNING=1 target/tools/docs/bin/mkdocs build --quiet

## compat: run the tests in Scala and Python, golden files on all paths, on every Spark, or on one: SPARK=4.0.5
.PHONY: compat
compat: $(addprefix compat-,$(or $(SPARK),$(SPARKS)))

# Scala's run on the patch release that the jar is compiled against, Python's on this one. All tests run on each
# Spark. The nightly draws are for the newest, and elsewhere for the suites whose answers depend most on Spark.
minor = $(word 1,$(subst ., ,$(1))).$(word 2,$(subst ., ,$(1)))
compat-%: compat-scala-% compat-python-%
	@:

DRAWN_ON_EACH := *SameExpressionSuite *MissingRowsSuite *StreamedPipelinesSuite *StreamedPipelinesInEntriesSuite \
                 *RangesRandomSuite
compat-scala-$(NEWEST): .venv/complete
	MATCH_RECOGNIZE_DRAWS=nightly build/sbt jvm/test

compat-scala-%: .venv/complete
	MATCH_RECOGNIZE_DRAWS=gate build/sbt "spark $(call minor,$*)" jvm/test
	MATCH_RECOGNIZE_DRAWS=nightly build/sbt "spark $(call minor,$*)" 'jvm/testOnly $(DRAWN_ON_EACH)'

compat-python-%: $(JARS)
	build/compat $* nightly

## checkpoints: write the checkpoints of this release that later ones must read, of each Spark and state store
.PHONY: checkpoints
checkpoints: $(JARS)
	@set -e; for version in $(SPARKS); do \
	  python=target/compat/$$version/bin/python; \
	  if [ $$version = $(NEWEST) ]; then python=$(VENV)/python; else build/venv $$version; fi; \
	  $$python tests/python/kept_checkpoint.py; \
	done

## compat-smoke: test the command line of the wheel on every Spark
.PHONY: compat-smoke
compat-smoke: $(WHEEL)
	@set -e; for version in $(SPARKS); do build/compat $$version smoke $(WHEEL); done

## newest: test Python with the newest libraries that pip finds, on each Python of this machine from 3.9 on
.PHONY: newest
newest: $(JARS)
	build/newest

# What only the merge gate runs. It compiles for the newest and the oldest Spark before Scala's tests run: each of
# their compilers has warnings that the other one lacks.
# On the oldest, the parser's suites run in the same sbt, and the one of hash tables, which differ between the
# versions of Scala.
.PHONY: compile venv-oldest oldest-python
OLDEST_MINOR := $(firstword $(MINORS))
compile: .venv/complete
	build/sbt scalafmtCheckAll scalafmtSbtCheck jvm/Test/compile "scalafixAll --check" \
	  "spark $(OLDEST_MINOR)" jvm/pythonJar jvm/Test/compile \
	  'jvm/testOnly org.matchrecognize.spark.parser.* *.LowestParserSuite *.NumberedSuite'

venv-oldest: .venv/complete
	build/venv $(OLDEST)

oldest-python: venv-oldest
	build/compat $(OLDEST) gate

## ci: run everything that a change must pass: style, all tests on the newest Spark, a part of them on the oldest
.PHONY: ci
ci:
	$(PYTHON) build/parts.py ci

## nightly: run everything else, part by part (build/parts.py); what is green on this commit is not run again
## nightly: (PARTS='lint docs' for some of them)
.PHONY: nightly
PARTS :=
nightly:
	$(PYTHON) build/parts.py nightly $(PARTS)

## clean: remove everything that was built, and .venv; keeps downloads
.PHONY: clean
clean:
	rm -rf .venv dist target project/target project/project jvm/target benchmarks/jmh/target python/match_recognize/jars

.PHONY: help
help:
	@sed -n 's/^## \([a-z-]*\): /  \1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 20

.venv/complete: build/requirements.txt build/venv pyproject.toml VERSION
	PYTHON=$(PYTHON) build/venv
	@touch $@
