package dev.topo.property;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import dev.topo.model.QuantityFormat;
import dev.topo.model.fixture.Thorough;
import dev.topo.model.operation.Collective;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Text, JSON and CSV of one command have the same numbers, as rounded as each shows them. */
class FormatsTest {
  /** A line of {@code tune}: sizes, algorithm, protocol, channels, threads, times. */
  private static final Pattern RANGE =
      Pattern.compile(
          "  ([0-9.]+ \\w+)(?: to ([0-9.]+ \\w+))?:\\s+(\\w+)/(\\w+),"
              + "\\s+(\\d+)(?: to (\\d+))?(?: of at most \\d+(?: to \\d+)?)? channels?,"
              + "\\s+(\\d+)(?: to (\\d+))? threads,"
              + "\\s+([0-9.]+(?: [a-z]+)?)(?: to ([0-9.]+) ([a-z]+)| *([a-z]+)?)");

  /** A heading of a table, with a blank between words. */
  private static final Pattern HEADING = Pattern.compile("\\S+(?: \\S+)*");

  /** The part that digits of JSON leave out. */
  private static final double DIGITS = 1e-4;

  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final Set<String> BASIS = Set.of("calibrated", "source");

  private final Counts counts = new Counts("text = JSON = CSV");
  @TempDir private Path folder;

  @Test
  void tuneAndPredictHaveTheSameInAllFormats() {
    Cases.every(Thorough.isOn() ? 1 : 6).forEach(this::compare);
    counts.report();
  }

  void compare(DrawnJob job) {
    counts.begin(job);
    tune(job);
    predict(job);
  }

  private void tune(DrawnJob job) {
    List<String> words = job.withCalls(job.command("tune", folder));
    Command json = Command.run(words, "--format", "json");
    Command csv = Command.run(words, "--format", "csv");
    Command text = Command.run(words);
    if (!counts.sameStatus(json, csv, text)) {
      return;
    }
    List<Map<String, String>> rows = csv.csv();
    JsonNode choices = json.json().get("choices");
    counts.same("choices", choices.size(), rows.size());
    caveats(json.json(), rows);
    for (int i = 0; i < rows.size(); i++) {
      row(choices.get(i), rows.get(i));
    }
    Map<String, List<String>> sections = sections(text.out());
    for (Collective collective : job.collectives()) {
      ends(job, collective, choices, sections.getOrDefault(collective.label(), List.of()));
    }
  }

  /** Each row has all caveats of the document. */
  private void caveats(JsonNode document, List<Map<String, String>> rows) {
    String expected = caveats(document);
    rows.forEach(row -> counts.same("caveats", expected, row.get("caveats")));
  }

  private static String caveats(JsonNode document) {
    return document.path("caveats").valueStream().map(JsonNode::asString).collect(joining(" | "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "predict dgx-h100 --nodes 2 --sizes 8,1G",
        "predict gh200 --nodes 2 --split '0;1' --sizes 1M",
        "predict examples/h200-x2.xml --against src/test/resources/measured/h200-x4-run/x2.all_reduce.nccl-tests.txt",
        "tune dgx-h100 --nodes 2 --sizes 1M",
        "tune hgx-h100-dualport --nodes 2 --collective alltoall --sizes 1M",
        "tune dgx-h100 --nccl 2.28.5 --buffers plain,registered --sizes 1M",
        "advise hgx-h100-dualport --nodes 2 --collective all_reduce --sizes 64M",
        "memory dgx-h100 --nodes 2",
        "memory examples/h200-x2.xml --env NCCL_NVLS_ENABLE=0 --against examples/memory.csv",
        "diagnose examples/pairs.csv",
        "diagnose examples/one-nic.txt",
        "workload examples/fsdp.rank0.json.gz --machine examples/h200-x2.xml"
      })
  void csvHasTheCaveatsOfJson(String call) {
    List<String> words = CliRun.words(call).stream().map(FormatsTest::placed).toList();
    String expected = caveats(Command.run(words, "--format", "json").json());
    for (Map<String, String> row : Command.run(words, "--format", "csv").csv()) {
      assertEquals(expected, row.getOrDefault("caveats", ""));
    }
  }

  private static String placed(String word) {
    return word.matches("(examples|src)/.*") ? ROOT.resolve(word).toString() : word;
  }

  /** Of several numbers of nodes, each with its own caveats behind those of all. */
  @Test
  void csvHasTheCaveatsOfEachNumberOfNodes() {
    List<String> words =
        List.of("predict", "hgx-h100-dualport", "--nodes", "1,2", "--sizes", "1M,64M");
    JsonNode document = Command.run(words, "--format", "json").json();
    for (Map<String, String> row : Command.run(words, "--format", "csv").csv()) {
      String expected =
          document
              .get("jobs")
              .valueStream()
              .filter(job -> job.at("/job/nodes").asString().equals(row.get("nodes")))
              .flatMap(job -> job.get("caveats").valueStream())
              .map(JsonNode::asString)
              .collect(joining(" | "));
      assertTrue(row.getOrDefault("caveats", "none").endsWith(expected), row.toString());
    }
  }

  /** All that JSON has of a call, in the columns of the same names. */
  private void row(JsonNode entry, Map<String, String> row) {
    for (Map.Entry<String, String> cell : row.entrySet()) {
      String name = camel(cell.getKey());
      if (entry.has(name)) {
        JsonNode value = entry.get(name);
        if (value.isNumber() && !cell.getValue().isEmpty()) {
          counts.same(name, value.asDouble(), Double.parseDouble(cell.getValue()));
        } else {
          counts.same(name, value.isNull() ? "" : value.asString(), cell.getValue());
        }
      }
    }
  }

  /** {@code time_us} as {@code timeUs}, {@code algbw_gbps} as {@code algbwGBps}. */
  private static String camel(String snake) {
    StringBuilder camel = new StringBuilder();
    for (String word : snake.split("_", -1)) {
      camel.append(
          word.equals("gbps")
              ? "GBps"
              : camel.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
    }
    return camel.toString();
  }

  /** The lines below each heading that is no line of a table, for each operation that it names. */
  private static Map<String, List<String>> sections(String text) {
    Map<String, List<String>> sections = new HashMap<>();
    List<String> section = new ArrayList<>();
    for (String line : text.lines().toList()) {
      if (!line.startsWith(" ")) {
        section = new ArrayList<>();
        for (String operation : line.split(", ", -1)) {
          sections.put(operation, section);
        }
      } else {
        section.add(line);
      }
    }
    return sections;
  }

  /** The smallest and the largest size, which text has with their times. */
  private void ends(DrawnJob job, Collective collective, JsonNode choices, List<String> lines) {
    List<JsonNode> of = new ArrayList<>();
    for (JsonNode choice : choices) {
      if (choice.get("collective").asString().equals(collective.ncclTestsName())) {
        of.add(choice);
      }
    }
    counts.check("a line for " + collective, !lines.isEmpty());
    end(of.get(0), lines.get(0), false);
    end(of.get(of.size() - 1), lines.get(lines.size() - 1), true);
  }

  private void end(JsonNode choice, String line, boolean isLast) {
    if (choice.get("algorithm").isNull()) {
      counts.check(line, line.contains("NCCL refuses") || line.contains("NCCL discards"));
      return;
    }
    Matcher range = RANGE.matcher(line);
    if (!range.matches()) {
      counts.check(line, line.contains("no channels") && choice.get("timeUs").asDouble() == 0);
      return;
    }
    String to = last(range, 2, 1);
    counts.same(
        "size", QuantityFormat.size(choice.get("bytes").asLong()), isLast ? to : range.group(1));
    counts.same("algorithm", choice.get("algorithm").asString(), range.group(3));
    counts.same("protocol", choice.get("protocol").asString(), range.group(4));
    counts.same(
        "channels",
        choice.get("launchedChannels").asString(),
        isLast ? last(range, 6, 5) : range.group(5));
    counts.same(
        "threads", choice.get("threads").asString(), isLast ? last(range, 8, 7) : range.group(7));
    counts.same("time", choice.get("timeUs"), time(range, isLast));
  }

  private static String last(Matcher range, int group, int otherwise) {
    return Optional.ofNullable(range.group(group)).orElse(range.group(otherwise));
  }

  private static String time(Matcher range, boolean isLast) {
    String first = range.group(9);
    if (range.group(10) == null) {
      return first;
    }
    String unit = " " + range.group(11);
    return isLast ? range.group(10) + unit : first.contains(" ") ? first : first + unit;
  }

  private void predict(DrawnJob job) {
    List<String> words = job.withCalls(job.command("predict", folder));
    Command json = Command.run(words, "--format", "json");
    Command csv = Command.run(words, "--format", "csv");
    Command text = Command.run(words, "-v");
    if (!counts.sameStatus(json, csv, text)) {
      return;
    }
    List<Map<String, String>> rows = csv.csv();
    JsonNode predictions = json.json().get("predictions");
    counts.same("predictions", predictions.size(), rows.size());
    caveats(json.json(), rows);
    for (int i = 0; i < rows.size(); i++) {
      counts.check("source " + rows.get(i), rows.get(i).keySet().containsAll(BASIS));
      row(predictions.get(i), rows.get(i));
    }
    Map<String, List<String>> sections = sections(text.out());
    List<Map<String, String>> lines = new ArrayList<>();
    for (Collective collective : job.collectives()) {
      lines.addAll(lines(sections.getOrDefault(collective.label(), List.of())));
    }
    counts.same("lines", predictions.size(), lines.size());
    for (int i = 0; i < lines.size(); i++) {
      line(predictions.get(i), lines.get(i));
    }
    refusals(json.json().get("refused"), text.out());
  }

  /** The cells by heading of each line with a time; the second range is that of busbw. */
  private static List<Map<String, String>> lines(List<String> section) {
    List<Map<String, String>> lines = new ArrayList<>();
    Map<String, String> all = new HashMap<>();
    List<MatchResult> headings = List.of();
    for (String line : section) {
      if (line.startsWith("  all: ")) {
        // The range behind busbw is that of busbw.
        String others = line.replaceFirst("(busbw [^,]*), range [^,]*", "$1");
        for (String title :
            List.of("by", "channels", "time", "range", "algbw", "busbw", "limited by", "source")) {
          Matcher same = Pattern.compile("(?:: |, )" + title + " ([^,]*)").matcher(others);
          if (same.find()) {
            all.put(title, same.group(1));
          }
        }
      } else if (line.startsWith("  size")) {
        headings = HEADING.matcher(line).results().toList();
      } else if (line.matches("  [0-9.]+ \\w*B( .*)?")) {
        Map<String, String> cells = new HashMap<>(all);
        for (int i = 0; i < headings.size(); i++) {
          int start = headings.get(i).start();
          int end = i + 1 < headings.size() ? headings.get(i + 1).start() : line.length();
          String cell =
              start < line.length() ? line.substring(start, Math.min(end, line.length())) : "";
          cells.putIfAbsent(headings.get(i).group(), cell.strip());
        }
        if (!cells.getOrDefault("by", "-").equals("-")) {
          lines.add(cells);
        }
      }
    }
    return lines;
  }

  private void line(JsonNode entry, Map<String, String> cells) {
    counts.same("size", QuantityFormat.size(entry.get("bytes").asLong()), cells.get("size"));
    String by = entry.get("algorithm").asString() + "/" + entry.get("protocol").asString();
    counts.same("by", by, cells.get("by"));
    String mark = entry.get("calibrated").asBoolean() ? "" : " *";
    counts.same("source", entry.get("source").asString() + mark, cells.get("source"));
    counts.same("channels", Shown.channels(entry), cells.get("channels"));
    counts.rounded("time", entry.get("timeUs"), cells.get("time"));
    range(entry, cells.get("range"));
    counts.same("algbw", entry.get("algbwGBps"), cells.get("algbw"));
    counts.rounded("busbw", entry.get("busbwGBps"), cells.get("busbw"));
    counts.same("limited by", entry.get("limitedBy").asString(), cells.get("limited by"));
  }

  /** The ends are rounded outwards. */
  private void range(JsonNode entry, String shown) {
    if (entry.get("timeLowUs").isNull()) {
      counts.same("range", "not known", shown);
      return;
    }
    String[] ends = shown.split(" to ", -1);
    String unit = ends[1].replaceFirst("[0-9.]+", "");
    counts.near("range", entry.get("timeHighUs"), ends[1], Counts.ROUNDED);
    counts.near("range", entry.get("timeLowUs"), ends[0] + unit, Counts.ROUNDED);
    double low = Shown.of(ends[0] + unit).value();
    counts.check(
        "range: " + shown + " of " + entry,
        low <= entry.get("timeLowUs").asDouble() * (1 + DIGITS)
            && Shown.of(ends[1]).value() >= entry.get("timeHighUs").asDouble() * (1 - DIGITS));
  }

  private void refusals(JsonNode refused, String text) {
    for (JsonNode one : refused) {
      String reason = one.get("reason").asString();
      counts.check(
          "refusal: " + reason,
          text.contains("NCCL refuses the call: " + reason)
              || (reason.startsWith("NCCL discards") && text.contains(reason)));
    }
  }
}
