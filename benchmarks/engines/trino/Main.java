/** A Trino server, which ends with its standard input: so it never outlives what has started it. */
public class Main {
  public static void main(String[] arguments) {
    Thread.ofPlatform().daemon().start(Main::endWithInput);
    new io.trino.server.Server().start("483");
  }

  private static void endWithInput() {
    try {
      while (System.in.read() >= 0) {}
    } catch (java.io.IOException closed) {
      // It has ended.
    }
    Runtime.getRuntime().halt(0);
  }
}
