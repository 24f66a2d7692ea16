package dev.topo.document;

import dev.topo.cli.fixture.CliRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A busbw to expect of a call on equal nodes of a shipped machine, as {@code topo predict} answers.
 *
 * @param machine the topology file, without its ending
 * @param operation the name in nccl-tests
 * @param busbwGBps the busbw
 * @param lowGBps what 95 of 100 runs exceed; empty where no range is known
 * @param highGBps what 5 of 100 runs exceed; empty where no range is known
 * @param choice what NCCL runs, such as {@code Ring/Simple}; of sends and receives the protocol
 * @param limit the link that is full, or what else limits the call
 * @param source what the time rests on, as in the JSON of {@code topo predict}
 */
record ExpectedRow(
    String machine,
    int nodes,
    int ranks,
    String operation,
    long bytes,
    double busbwGBps,
    OptionalDouble lowGBps,
    OptionalDouble highGBps,
    String choice,
    int channels,
    String limit,
    String source) {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final JsonMapper JSON = new JsonMapper();

  /**
   * The rows of a job; none where no time is known.
   *
   * @param isDomain whether the nodes are one NVLink domain
   */
  static List<ExpectedRow> of(
      String machine, int nodes, boolean isDomain, String operations, String sizes) {
    List<String> words =
        new ArrayList<>(
            List.of("predict", ROOT.resolve("topologies/" + machine + ".xml").toString()));
    words.addAll(List.of("--nodes", String.valueOf(nodes), "--format", "json"));
    words.addAll(List.of("--collective", operations, "--sizes", sizes));
    if (isDomain && nodes > 1) {
      words.addAll(List.of("--nvlink-domain", String.valueOf(nodes)));
    }
    CliRun run = CliRun.of(words.toArray(String[]::new));
    if (run.status() != 0) {
      return List.of();
    }
    JsonNode answer = JSON.readTree(run.out());
    int ranks = answer.get("job").get("ranks").asInt();
    List<ExpectedRow> rows = new ArrayList<>();
    for (JsonNode prediction : answer.get("predictions")) {
      rows.add(of(machine, nodes, ranks, prediction));
    }
    return rows;
  }

  private static ExpectedRow of(String machine, int nodes, int ranks, JsonNode prediction) {
    double busbw = prediction.get("busbwGBps").asDouble();
    double timeUs = prediction.get("timeUs").asDouble();
    String protocol = prediction.get("protocol").asString();
    Optional<String> algorithm = text(prediction, "algorithm");
    return new ExpectedRow(
        machine,
        nodes,
        ranks,
        prediction.get("collective").asString(),
        prediction.get("bytes").asLong(),
        busbw,
        bound(prediction, "timeHighUs", busbw * timeUs),
        bound(prediction, "timeLowUs", busbw * timeUs),
        algorithm.map(name -> name + "/" + protocol).orElse(protocol),
        prediction.get("launchedChannels").asInt(),
        text(prediction, "limitedBy").orElse(""),
        prediction.get("source").asString());
  }

  private static OptionalDouble bound(JsonNode prediction, String time, double busbwTimesUs) {
    return prediction.get(time).isNull()
        ? OptionalDouble.empty()
        : OptionalDouble.of(busbwTimesUs / prediction.get(time).asDouble());
  }

  private static Optional<String> text(JsonNode node, String field) {
    return Optional.of(node.get(field)).filter(value -> !value.isNull()).map(JsonNode::asString);
  }

  /** The busbw, for people, in GB/s. */
  String busbw() {
    return rounded(busbwGBps);
  }

  /** The busbw with its range, for people, in GB/s; a star where no range is known. */
  String busbwInRange() {
    return lowGBps.isEmpty()
        ? busbw() + "\\*"
        : "%s (%s–%s)"
            .formatted(busbw(), rounded(lowGBps.getAsDouble()), rounded(highGBps.orElseThrow()));
  }

  /** With the digits of the busbw. */
  private String rounded(double value) {
    String digits = busbwGBps < 1 ? "%.2f" : busbwGBps < 20 ? "%.1f" : "%.0f";
    return String.format(Locale.ROOT, digits, value);
  }
}
