package dev.topo.property;

import dev.topo.cli.TopoCommand;
import dev.topo.cli.terminal.Streams;
import dev.topo.search.fixture.SharedGraphs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Streams streams =
        new Streams(
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, false, StandardCharsets.UTF_8));
    int status =
        TopoCommand.execute(streams, Map.of(), SharedGraphs.GRAPHS, all.toArray(String[]::new));
    streams.flush();
    Command command =
        new Command(
            status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    if (status > 1 && status != 3) {
      throw new AssertionError("topo " + String.join(" ", all) + ": " + command);
    }
    return command;
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
