import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Arrays;

/** Runs each statement of the files on a database of SQLite, as a chat server does. */
class Host {
  public static void main(String[] args) throws Exception {
    var threads = ManagementFactory.getThreadMXBean();
    var input = new BufferedReader(new InputStreamReader(System.in));
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + args[0])) {
      long nanoseconds = 0;
      for (var file : Arrays.copyOfRange(args, 1, args.length)) {
        var lines = Files.readAllLines(Path.of(file));
        var began = threads.getCurrentThreadCpuTime();
        for (var line : lines) {
          try {
            run(connection, line.split("\t"));
          } catch (SQLException error) {
            System.out.println("error " + error.getMessage().replace('\n', ' '));
          }
        }
        nanoseconds += threads.getCurrentThreadCpuTime() - began;
        System.out.println("ready");
        input.readLine();
      }
      System.out.println("version " + connection.getMetaData().getDatabaseProductVersion());
      System.out.println("milliseconds " + nanoseconds / 1e6);
    }
  }

  static void run(Connection connection, String[] fields) throws SQLException {
    try (var statement = connection.prepareStatement(fields[0])) {
      for (var index = 1; index < fields.length; index++) {
        var text = fields[index].substring(1);
        switch (fields[index].charAt(0)) {
          case 'i' -> statement.setLong(index, Long.parseLong(text));
          case 't' -> statement.setString(index, text);
          default -> statement.setObject(index, null);
        }
      }
      statement.execute();
    }
  }
}
