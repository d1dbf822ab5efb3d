package org.matchrecognize.spark;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.SparkSessionExtensions;
import scala.Function1;
import scala.runtime.BoxedUnit;

/**
 * The entry point, to be named in the configuration {@code spark.sql.extensions}: checks that this jar
 * is the one for the running Spark, then hands over to {@code org.matchrecognize.spark.Extensions}.
 *
 * <p>Each Spark minor version has a jar of its own, because Spark's internals differ between them. What
 * happens with the wrong jar is up to this class alone: Spark swallows {@link ClassCastException},
 * {@link ClassNotFoundException} and {@link NoClassDefFoundError} when it applies extensions (a line in
 * the log, then every MATCH_RECOGNIZE is a syntax error). Hence it
 *
 * <ul>
 *   <li>is Java, in class files of version 8, and links nothing but {@code Function1}, {@code BoxedUnit}
 *       and {@code SparkSessionExtensions}, which every Spark has: so it always loads;
 *   <li>reaches all else, ours and Spark's, by reflection;
 *   <li>throws nothing but {@link IllegalStateException} of its own accord, which Spark lets pass.
 * </ul>
 */
public final class MatchRecognizeExtensions implements Function1<SparkSessionExtensions, BoxedUnit> {

  private static final String PRODUCT = "spark-match-recognize";

  /** Written by build.sbt: {@code version}, {@code spark.minor}, {@code scala.binary}, {@code supported}. */
  private static final String BUILD_PROPERTIES = "build.properties";

  private static final String EXTENSIONS = "org.matchrecognize.spark.Extensions";

  /**
   * Registers the clause with a session under construction.
   *
   * @param extensions where Spark collects what sessions add to it
   * @throws IllegalStateException if the jar is not for this Spark, with the name of the one that is; or
   *     if the jar is damaged, or Spark changed by its vendor, so that our classes cannot be linked
   */
  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    Properties build = buildProperties();
    wrongSpark(build, sparkVersion(), scalaVersion()).ifPresent(message -> {
      throw new IllegalStateException(message);
    });
    try {
      Object ours = Class.forName(EXTENSIONS, true, getClass().getClassLoader())
          .getConstructor()
          .newInstance();
      ours.getClass().getMethod("apply", SparkSessionExtensions.class).invoke(ours, extensions);
    } catch (InvocationTargetException e) {
      throw failure(build, e.getCause());
    } catch (ReflectiveOperationException | LinkageError e) {
      throw failure(build, e);
    }
    return BoxedUnit.UNIT;
  }

  /**
   * What to tell the user where the jar does not fit the running Spark.
   *
   * @param build the jar's build.properties
   * @param sparkVersion of the running Spark, such as {@code 4.3.0} or a vendor's {@code 3.5.1-amzn-0}
   * @param scalaVersion that it runs on, such as {@code 2.13.18}
   * @return a message that names the jar that fits, or says that there is none; empty if this one fits
   */
  static Optional<String> wrongSpark(Properties build, String sparkVersion, String scalaVersion) {
    String running = minor(sparkVersion) + "_" + minor(scalaVersion);
    String builtFor = build.getProperty("spark.minor") + "_" + build.getProperty("scala.binary");
    if (running.equals(builtFor)) {
      return Optional.empty();
    }
    List<String> supported = new ArrayList<>();
    boolean hasJar = false;
    for (String each : build.getProperty("supported").split(" ")) {
      hasJar |= each.equals(running);
      supported.add(each.replace("_", " (Scala ") + ")");
    }
    String cure = hasJar
        ? "Use " + jarName(build, running) + ", which `python -m match_recognize jar` prints."
        : PRODUCT + " " + build.getProperty("version") + " has no jar for it yet; it has jars for Spark "
            + String.join(", ", supported) + ".";
    return Optional.of("[MATCH_RECOGNIZE.WRONG_SPARK] This jar (" + jarName(build, builtFor)
        + ") is built for Spark " + build.getProperty("spark.minor")
        + " (Scala " + build.getProperty("scala.binary") + "), but this is Spark " + sparkVersion
        + " (Scala " + minor(scalaVersion) + "). " + cure + " SQLSTATE: 0A000");
  }

  private static String jarName(Properties build, String sparkAndScala) {
    return PRODUCT + "-spark-" + sparkAndScala + "-" + build.getProperty("version") + ".jar";
  }

  /** The first two numbers of a version: all that decides whether Spark's or Scala's binaries fit. */
  private static String minor(String version) {
    Matcher numbers = Pattern.compile("^\\d+\\.\\d+").matcher(version);
    return numbers.find() ? numbers.group() : version;
  }

  /**
   * An error that Spark does not swallow. What is no matter of linking (a setting of the user's that is
   * refused, say) passes as it is.
   */
  private static RuntimeException failure(Properties build, Throwable cause) {
    if (cause instanceof RuntimeException && !(cause instanceof ClassCastException)) {
      return (RuntimeException) cause;
    }
    return new IllegalStateException("[MATCH_RECOGNIZE.CANNOT_LOAD] " + PRODUCT + " "
        + build.getProperty("version") + " cannot start on Spark " + sparkVersion() + " (Scala "
        + scalaVersion() + "): " + cause + ". Either the jar is incomplete, or this Spark differs from "
        + "Apache's release of that version. `python -m match_recognize doctor` shows which jars are in "
        + "use. SQLSTATE: 0A000", cause);
  }

  private static Properties buildProperties() {
    Properties build = new Properties();
    try (InputStream in = MatchRecognizeExtensions.class.getResourceAsStream(BUILD_PROPERTIES)) {
      if (in == null) {
        throw new IllegalStateException("[MATCH_RECOGNIZE.CANNOT_LOAD] " + BUILD_PROPERTIES
            + " is missing beside " + MatchRecognizeExtensions.class.getName()
            + ": this is not a jar that our build made. SQLSTATE: 0A000");
      }
      build.load(in);
    } catch (IOException e) {
      throw failure(build, e);
    }
    return build;
  }

  private static String sparkVersion() {
    return staticText("org.apache.spark.package", "SPARK_VERSION");
  }

  private static String scalaVersion() {
    return staticText("scala.util.Properties", "versionNumberString");
  }

  /** The text that a method of a Scala object gives. Both that we ask are in every Spark since 2.0. */
  private static String staticText(String className, String method) {
    try {
      return (String) Class.forName(className).getMethod(method).invoke(null);
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new IllegalStateException("[MATCH_RECOGNIZE.CANNOT_LOAD] cannot tell which Spark this is: "
          + className + "." + method + " failed. SQLSTATE: 0A000", e);
    }
  }
}
