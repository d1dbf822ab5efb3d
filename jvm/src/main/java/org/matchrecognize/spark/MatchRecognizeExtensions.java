package org.matchrecognize.spark;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.SparkSessionExtensions;
import scala.Function1;
import scala.runtime.BoxedUnit;

/**
 * The entry point, to be named in the setting {@code spark.sql.extensions}: checks that this jar
 * is the one for the running Spark, then hands over to {@code
 * org.matchrecognize.spark.Extensions}.
 *
 * <p>Each minor version of Spark has a jar of its own, since Spark's internals differ. With the
 * wrong one on the class path, only this class can say so: if an extension cannot be
 * loaded, Spark swallows the {@link ClassCastException}, {@link ClassNotFoundException} or {@link
 * NoClassDefFoundError}, and every MATCH_RECOGNIZE is a syntax error. Therefore this class
 *
 * <ul>
 *   <li>is Java, in class files of version 8, and links nothing but {@code Function1}, {@code
 *       BoxedUnit} and {@code SparkSessionExtensions}: it loads on every Spark since 2.2;
 *   <li>reaches everything else, Spark's and ours, by reflection;
 *   <li>reports what goes wrong as {@link IllegalStateException}, which Spark lets pass.
 * </ul>
 */
public final class MatchRecognizeExtensions
    implements Function1<SparkSessionExtensions, BoxedUnit> {

  private static final String PRODUCT = "spark-match-recognize";

  /** Of Scala and for one Spark: only reflection may touch it. */
  private static final String EXTENSIONS = "org.matchrecognize.spark.Extensions";

  /** Next to this class; build.sbt writes it: version, spark.minor, scala.binary, supported. */
  private static final String BUILD_PROPERTIES = "build.properties";

  /**
   * Makes the clause part of a session that is being built.
   *
   * @param extensions where Spark collects what is added to the session
   * @throws IllegalStateException if the jar is for another Spark (the message names the one to
   *     use), or if our classes cannot be linked: the jar is incomplete, or Spark is not as
   *     released
   */
  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    String message = wrongSpark(buildProperties(), sparkVersion(), scalaVersion()).orElse(null);
    if (message != null) {
      throw new IllegalStateException(message);
    }
    try {
      Class<?> ours = Class.forName(EXTENSIONS, true, getClass().getClassLoader());
      ours.getMethod("apply", SparkSessionExtensions.class)
          .invoke(ours.getConstructor().newInstance(), extensions);
    } catch (InvocationTargetException e) {
      throw visible(e.getCause());
    } catch (ReflectiveOperationException | LinkageError e) {
      throw visible(e);
    }
    return BoxedUnit.UNIT;
  }

  /**
   * Returns the message for a jar on a Spark that it is not for.
   *
   * @param build the jar's build.properties
   * @param sparkVersion of the running Spark: {@code 4.3.0}, or a vendor's {@code 3.5.1-amzn-0}
   * @param scalaVersion of the Scala that it runs on: {@code 2.13.18}
   * @return a message with the name of the right jar, or the news that there is none; empty if
   *     this jar is the right one
   */
  static Optional<String> wrongSpark(Properties build, String sparkVersion, String scalaVersion) {
    String jarIsFor = build.getProperty("spark.minor") + "_" + build.getProperty("scala.binary");
    String running = minor(sparkVersion) + "_" + minor(scalaVersion);
    if (running.equals(jarIsFor)) {
      return Optional.empty();
    }
    String supported = build.getProperty("supported");
    String suggestion = Arrays.asList(supported.split(" ")).contains(running)
        ? "Use " + jarName(build, running) + ", which `python -m match_recognize jar` prints."
        : "No jar of " + PRODUCT + " " + build.getProperty("version") + " is for it yet: there"
            + " are jars for Spark "
            + supported.replace(" ", ", ").replace("_", " with Scala ") + ".";
    return Optional.of("[MATCH_RECOGNIZE.WRONG_SPARK] This jar (" + jarName(build, jarIsFor)
        + ") is built for Spark " + build.getProperty("spark.minor")
        + " (Scala " + build.getProperty("scala.binary") + "), but this is Spark " + sparkVersion
        + " (Scala " + minor(scalaVersion) + "). " + suggestion + " SQLSTATE: 0A000");
  }

  private static String jarName(Properties build, String sparkAndScala) {
    return PRODUCT + "-spark-" + sparkAndScala + "-" + build.getProperty("version") + ".jar";
  }

  /** A version's first two numbers: what binaries of Spark and of Scala depend on. */
  private static String minor(String version) {
    Matcher numbers = Pattern.compile("^\\d+\\.\\d+").matcher(version);
    return numbers.find() ? numbers.group() : version;
  }

  private static String sparkVersion() {
    return textOf("org.apache.spark.package", "SPARK_VERSION");
  }

  private static String scalaVersion() {
    return textOf("scala.util.Properties", "versionNumberString");
  }

  /** What a method without parameters of a Scala object returns. */
  private static String textOf(String object, String method) {
    try {
      return (String) Class.forName(object).getMethod(method).invoke(null);
    } catch (ReflectiveOperationException | LinkageError e) {
      throw cannotLoad("this is no Spark that it knows: " + object + "." + method + " fails", e);
    }
  }

  private static Properties buildProperties() {
    Properties build = new Properties();
    try (InputStream in = MatchRecognizeExtensions.class.getResourceAsStream(BUILD_PROPERTIES)) {
      if (in == null) {
        throw cannotLoad("the jar is incomplete: it has no " + BUILD_PROPERTIES, null);
      }
      build.load(in);
    } catch (IOException e) {
      throw cannotLoad("the jar cannot be read", e);
    }
    return build;
  }

  /** The failure itself, if Spark lets it pass; else one that it lets pass. */
  private static RuntimeException visible(Throwable failure) {
    if (failure instanceof Error && !(failure instanceof LinkageError)) {
      throw (Error) failure;
    }
    if (failure instanceof RuntimeException && !(failure instanceof ClassCastException)) {
      throw (RuntimeException) failure;
    }
    return cannotLoad("the jar is incomplete, or this Spark " + sparkVersion() + " (Scala "
        + scalaVersion() + ") is not as Apache released it: " + failure, failure);
  }

  private static IllegalStateException cannotLoad(String why, Throwable cause) {
    return new IllegalStateException("[MATCH_RECOGNIZE.CANNOT_LOAD] " + PRODUCT
        + " cannot start: " + why + ". `python -m match_recognize doctor` shows which Spark and"
        + " which jars are in use. SQLSTATE: 0A000", cause);
  }
}
