package dev.topo.property;

import dev.topo.model.QuantityFormat;
import dev.topo.model.fixture.Thorough;
import dev.topo.model.operation.Collective;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
    for (int i = 0; i < rows.size(); i++) {
      row(choices.get(i), rows.get(i));
    }
    Map<String, List<String>> sections = sections(text.out());
    for (Collective collective : job.collectives()) {
      ends(job, collective, choices, sections.getOrDefault(collective.label(), List.of()));
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
      counts.check(line, line.contains("NCCL refuses"));
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
    for (int i = 0; i < rows.size(); i++) {
      row(predictions.get(i), rows.get(i));
    }
    Map<String, List<String>> sections = sections(text.out());
    List<List<String>> lines = new ArrayList<>();
    for (Collective collective : job.collectives()) {
      sections.getOrDefault(collective.label(), List.of()).stream()
          .map(line -> List.of(line.strip().split(" {2,}", -1)))
          .filter(cells -> cells.size() > 5 && !cells.get(0).equals("size"))
          .forEach(lines::add);
    }
    counts.same("lines", predictions.size(), lines.size());
    for (int i = 0; i < lines.size(); i++) {
      line(predictions.get(i), lines.get(i));
    }
    refusals(json.json().get("refused"), text.out());
  }

  /** Cells: size, by, channels, time, range, algbw, busbw, limited by. */
  private void line(JsonNode entry, List<String> cells) {
    counts.same("size", QuantityFormat.size(entry.get("bytes").asLong()), cells.get(0));
    String by = entry.get("algorithm").asString() + "/" + entry.get("protocol").asString();
    boolean isCalibrated = entry.get("calibrated").asBoolean();
    counts.same("by", isCalibrated ? by : by + "*", cells.get(1));
    counts.same("channels", Shown.channels(entry), cells.get(2));
    counts.same("time", entry.get("timeUs"), cells.get(3));
    range(entry, cells.get(4));
    counts.same("algbw", entry.get("algbwGBps"), cells.get(5));
    counts.same("busbw", entry.get("busbwGBps"), cells.get(6).replace(" GB/s", ""));
    counts.check(
        entry.get("limitedBy") + " " + cells,
        cells.get(7).startsWith(entry.get("limitedBy").asString()));
  }

  private void range(JsonNode entry, String shown) {
    if (entry.get("timeLowUs").isNull()) {
      counts.same("range", "not known", shown);
      return;
    }
    String[] ends = shown.split(" to ", -1);
    String unit = ends[ends.length - 1].replaceFirst("[0-9.]+", "");
    counts.same("range", entry.get("timeHighUs"), ends[ends.length - 1]);
    counts.same("range", entry.get("timeLowUs"), ends[0].contains(" ") ? ends[0] : ends[0] + unit);
  }

  private void refusals(JsonNode refused, String text) {
    for (JsonNode one : refused) {
      String reason = one.get("reason").asString();
      counts.check("refusal: " + reason, text.contains("NCCL refuses the call: " + reason));
    }
  }
}
