package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.fixture.DocumentTables;
import dev.topo.simulator.verdict.ErrorTable.Errors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A table of docs/accuracy.md that is a CSV file of its own, in docs/accuracy. */
final class AccuracyFile {
  private static final String FOLDER = "docs/accuracy/";

  /** A fit may end elsewhere on another JVM's mathematics: so many points or rows. */
  private static final double SAME = 1;

  private final StringBuilder text = new StringBuilder();

  /** A table with these columns, units in their names, separated by commas. */
  AccuracyFile(String columns) {
    text.append(columns).append('\n');
  }

  /** Adds a row; cells with a comma are put in quotes. */
  AccuracyFile add(Object... cells) {
    text.append(
            Arrays.stream(cells)
                .map(String::valueOf)
                .map(cell -> cell.contains(",") ? '"' + cell + '"' : cell)
                .collect(Collectors.joining(",")))
        .append('\n');
    return this;
  }

  /** A part in percent, without the sign. */
  static String percent(double part) {
    return String.format(Locale.ROOT, "%.1f", 100 * part + 0.0).replaceFirst("^-0\\.0$", "0.0");
  }

  /** The median of errors in percent. */
  static String median(Errors errors) {
    return errors.count() == 0 ? "" : percent(errors.median());
  }

  /** The 90th percentile of errors in percent. */
  static String percentile90(Errors errors) {
    return errors.count() == 0 ? "" : percent(errors.percentile90());
  }

  void check(String name) throws IOException {
    DocumentTables.checkFile(FOLDER + name, text.toString());
  }

  /** Fails if the file lacks a row of this one, which is a sample of it. */
  void checkRows(String name) throws IOException {
    List<String> rows = Files.readAllLines(path(name));
    assertEquals(List.of(), text.toString().lines().filter(row -> !rows.contains(row)).toList());
  }

  /** Fails if a text of the file differs, or a number by more than another JVM's fit. */
  void checkNearly(String name) throws IOException {
    if (Boolean.getBoolean("golden.update")) {
      check(name);
    }
    List<String> computed = text.toString().lines().toList();
    List<String> written = Files.readAllLines(path(name));
    assertEquals(computed.size(), written.size(), name);
    for (int i = 0; i < written.size(); i++) {
      List<String> is = cells(written.get(i));
      List<String> other = cells(computed.get(i));
      assertEquals(other.size(), is.size(), name + ": " + written.get(i));
      for (int k = 0; k < is.size(); k++) {
        if (!isNear(is.get(k), other.get(k))) {
          assertEquals(computed.get(i), written.get(i), name);
        }
      }
    }
  }

  private static boolean isNear(String is, String other) {
    String number = "-?[0-9]+(\\.[0-9]+)?";
    return is.equals(other)
        || is.matches(number)
            && other.matches(number)
            && Math.abs(Double.parseDouble(is) - Double.parseDouble(other)) <= SAME;
  }

  private static Path path(String name) {
    return Path.of(System.getProperty("topo.root")).resolve(FOLDER + name);
  }

  /** The rows of a file without its columns, as cells. */
  static List<List<String>> rows(String name) throws IOException {
    return Files.readAllLines(path(name)).stream().skip(1).map(AccuracyFile::cells).toList();
  }

  private static List<String> cells(String row) {
    List<String> cells = new ArrayList<>();
    for (String cell : row.split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", -1)) {
      cells.add(cell.replace("\"", ""));
    }
    return cells;
  }
}
