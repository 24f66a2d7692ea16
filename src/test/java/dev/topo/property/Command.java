package dev.topo.property;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a command answered.
 *
 * @param status exit status
 * @param out stdout
 * @param err stderr
 */
record Command(int status, String out, String err) {
  private static final JsonMapper JSON = new JsonMapper();
  private static final CSVFormat HEADED =
      CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true).get();

  /** Runs a command line without a variable of the environment. */
  static Command run(List<String> words, String... more) {
    List<String> all = new ArrayList<>(words);
    all.addAll(List.of(more));
    CliRun run = CliRun.of(all.toArray(String[]::new));
    if (run.status() > 1 && run.status() != 3) {
      throw new AssertionError("topo " + String.join(" ", all) + ": " + run);
    }
    return new Command(run.status(), run.out(), run.err());
  }

  /** The answer as JSON. */
  JsonNode json() {
    return JSON.readTree(out);
  }

  /** The rows of a table of comma-separated values, by the names of the columns. */
  List<Map<String, String>> csv() {
    try (CSVParser rows = CSVParser.parse(out, HEADED)) {
      return rows.stream().map(CSVRecord::toMap).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
