import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** A JDBC program: {@code java -cp "$SPARK_HOME/jars/*" Jdbc.java PORT} prints what it sees. */
class Jdbc {
  static final String HEAD =
      "SELECT symbol, low FROM ticks MATCH_RECOGNIZE ("
          + " PARTITION BY symbol ORDER BY day MEASURES LAST(DOWN.price) AS low PATTERN (";
  static final String TAIL = ") DEFINE DOWN AS price < PREV(price)) WHERE symbol >= ? ORDER BY symbol";

  public static void main(String[] words) throws Exception {
    String url = "jdbc:hive2://127.0.0.1:" + words[0] + "/default";
    try (Connection connection = DriverManager.getConnection(url, "me", "")) {
      // Each way to write a question mark of the pattern that survives the driver.
      for (String pattern : List.of("A DOWN{1,1} B{0,1}", "A DOWN+\\? B\\?", "A DOWN{1,}\\? B\\?\\?"))
        System.out.println(pattern + ": " + lows(connection, pattern));
      System.out.println("bare: " + lows(connection, "A DOWN B?"));
      metadata(connection);
      errors(connection);
      cancel(connection);
    }
  }

  static String lows(Connection connection, String pattern) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(HEAD + pattern + TAIL)) {
      statement.setString(1, "a");
      StringBuilder answer = new StringBuilder();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) answer.append(rows.getString(1)).append(rows.getInt("low")).append(' ');
      }
      return answer.toString().trim();
    } catch (SQLException e) {
      return e.getMessage();
    }
  }

  static void metadata(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(HEAD + "A DOWN?" + TAIL.replace(">= ?", "= 'b'"))) {
      System.out.print("columns:");
      for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++)
        System.out.print(
            " " + rows.getMetaData().getColumnName(i) + " " + rows.getMetaData().getColumnTypeName(i));
      System.out.println();
    }
  }

  static void errors(Connection connection) throws SQLException {
    String wrong = HEAD + "A DOWN+*" + TAIL.replace(">= ?", "= 'b'");
    try (Statement statement = connection.createStatement()) {
      statement.executeQuery(wrong);
    } catch (SQLException e) {
      System.out.println("state: " + e.getSQLState());
      System.out.println("message: " + e.getMessage());
      System.out.println("end of message");
    }
  }

  /** Cancels from another thread, as an SQL tool does where its user presses Stop. */
  static void cancel(Connection connection) throws Exception {
    try (Statement statement = connection.createStatement()) {
      Thread stop =
          new Thread(
              () -> {
                try {
                  Thread.sleep(5000);
                  statement.cancel();
                } catch (Exception e) {
                  System.out.println("cancel failed: " + e);
                }
              });
      stop.start();
      long start = System.nanoTime();
      try {
        statement.executeQuery(System.getenv("ENDLESS"));
        System.out.println("cancel: the statement ended");
      } catch (SQLException e) {
        System.out.println("cancel: " + (System.nanoTime() - start) / 1_000_000_000L + " s");
      }
      stop.join();
    }
    System.out.println("after: " + lows(connection, "A DOWN"));
  }
}
