package dev.topo.golden;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import dev.topo.cli.fixture.CliRun;
import dev.topo.cli.fixture.ReplayedJob;
import dev.topo.hw.verify.ReplayedWorkload;
import dev.topo.model.fixture.NotRun;
import dev.topo.model.fixture.Thorough;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.Inputs.Invocation;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.visualizer.chart.NoFontException;
import dev.topo.visualizer.study.ReplayOutput;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Answer.Sentence;
import dev.topo.visualizer.view.Envelope;
import dev.topo.visualizer.view.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The answers of all commands in all formats are those that are frozen. */
class GoldenTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final Path FROZEN = ROOT.resolve("src/test/resources/golden");
  private static final Path DIFFERENT = ROOT.resolve("src/test/target/golden");
  private static final boolean IS_UPDATE = Boolean.getBoolean("golden.update");
  private static final String ACCEPT = "-Dgolden.update=true accepts it";

  private static final Pattern COMMAND = Pattern.compile("(?m)^  ([a-z]+) ");
  private static final Pattern FORMATS =
      Pattern.compile("--format FORMAT\\s((?:(?!--)[^(])*?)((?:[a-z]+,\\s+)*[a-z]+)\\s+\\(default");

  private static final Pattern SENTENCE =
      Pattern.compile(
          "\"answer\" : \"((?:[^\"\\\\]|\\\\.)*)\"|--- stdout\n([^\n{:][^\n]*[.])\n(?=\n|---|\\z)");

  @TempDir private Path folder;

  private static List<GoldenCase> cases(String file) throws IOException {
    List<GoldenCase> cases = GoldenCase.read(FROZEN.resolve(file));
    try {
      NoFontException.check();
      return cases;
    } catch (NoFontException e) {
      NotRun.print("frozen PNG: " + e.getMessage());
      return cases.stream().filter(one -> !one.name().endsWith(".png")).toList();
    }
  }

  private String answer(GoldenCase one) throws IOException {
    return GoldenAnswer.of(one, Files.createDirectory(folder.resolve(one.name())));
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  /** The first sentences that are too long: a field of JSON, or the line above a text. */
  private static List<String> tooLong(String name, String answer) {
    return SENTENCE
        .matcher(answer)
        .results()
        .map(found -> Objects.requireNonNullElse(found.group(1), found.group(2)))
        .filter(sentence -> Sentence.words(sentence) > Sentence.MOST_WORDS)
        .map(sentence -> "%s: %d words: %s".formatted(name, Sentence.words(sentence), sentence))
        .toList();
  }

  /** Notes how an answer differs. */
  private static void compare(Path frozen, String answer, List<String> differences)
      throws IOException {
    if (IS_UPDATE) {
      write(frozen, answer);
    }
    String before = Files.exists(frozen) ? Files.readString(frozen) : "";
    if (!before.equals(answer)) {
      Path different = DIFFERENT.resolve(FROZEN.relativize(frozen));
      write(different, answer);
      differences.add(
          "\ndiff %s %s%s"
              .formatted(
                  ROOT.relativize(frozen),
                  ROOT.relativize(different),
                  firstDifference(before.lines().toList(), answer.lines().toList())));
    }
  }

  /** The first lines that differ; {@code -} is frozen, {@code +} is the answer now. */
  private static String firstDifference(List<String> before, List<String> now) {
    int line = 0;
    while (line < Math.min(before.size(), now.size()) && before.get(line).equals(now.get(line))) {
      line++;
    }
    return " in line "
        + (line + 1)
        + before.stream().skip(line).limit(1).map("\n  - "::concat).findFirst().orElse("")
        + now.stream().skip(line).limit(1).map("\n  + "::concat).findFirst().orElse("");
  }

  private void check(String group, List<GoldenCase> cases) throws IOException {
    List<String> differences = new ArrayList<>();
    for (GoldenCase one : cases) {
      String answer = answer(one);
      differences.addAll(tooLong(one.name(), answer));
      compare(FROZEN.resolve(group).resolve(one.name() + ".txt"), answer, differences);
    }
    assertEquals(List.of(), differences, ACCEPT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dgx-h100", "l40s-4"})
  void answersOnAMachineAreFrozen(String machine) throws IOException {
    String file = "topologies/" + machine + ".xml";
    check(machine, cases("machine.cases").stream().map(one -> one.on(file)).toList());
  }

  @Test
  void answersOnFilesErrorsAndHelpAreFrozen() throws IOException {
    check("other", cases("other.cases"));
  }

  /** The answers of a replay by their formats. */
  private static Map<String, Answer> replay(Inputs inputs) {
    ReplayedWorkload replayed = ReplayedJob.of("fsdp", inputs);
    return Map.of(
        "text", ReplayOutput.of(ReplayedJob.SUMMARY, replayed, "2.30.7"),
        "json", ReplayOutput.json(ReplayedJob.SUMMARY, replayed, "2.30.7"),
        "csv", ReplayOutput.csv(replayed));
  }

  @Test
  void answersOfAReplayAreFrozen() throws IOException {
    List<String> differences = new ArrayList<>();
    Inputs inputs = new Inputs();
    Invocation made = Invocation.of("topo", Json.TOPO_VERSION, inputs, "run", "--workload");
    Envelope envelope = new Envelope(ReleaseRules.DEFAULT, List.of(), made);
    for (Map.Entry<String, Answer> format : replay(inputs).entrySet()) {
      StringBuilder answer = new StringBuilder();
      format.getValue().render(envelope, format.getKey(), line -> {}).writeTo(answer);
      Path frozen = FROZEN.resolve("replay").resolve("run." + format.getKey() + ".txt");
      compare(frozen, GoldenAnswer.inProject(answer.toString()), differences);
    }
    assertEquals(List.of(), differences, ACCEPT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dgx-a100",
        "dgx-1v",
        "gb200-tray",
        "hgx-h200-4nic",
        "hgx-h100-sharp",
        "v100-4-mesh"
      })
  void answersOnMoreMachinesAreFrozen(String machine) throws IOException {
    if (!Thorough.isOn()) {
      NotRun.because("frozen answers on " + machine + Thorough.HOW);
    }
    String file = "topologies/" + machine + ".xml";
    StringBuilder hashes = new StringBuilder();
    List<String> differences = new ArrayList<>();
    for (GoldenCase one : cases("machine.cases")) {
      String answer = answer(one.on(file));
      differences.addAll(tooLong(one.name(), answer));
      write(DIFFERENT.resolve(machine).resolve(one.name() + ".txt"), answer);
      hashes.append(GoldenAnswer.sha256(answer)).append("  ").append(one.name()).append('\n');
    }
    compare(FROZEN.resolve(machine + ".sha256"), hashes.toString(), differences);
    assertEquals(List.of(), differences, ACCEPT);
  }

  /** The formats of each command, by its help. */
  private static Map<String, Set<String>> formats() {
    Map<String, Set<String>> byCommand = new TreeMap<>();
    Matcher command = COMMAND.matcher(CliRun.of("--help").out());
    while (command.find()) {
      String name = command.group(1);
      String help = CliRun.of(name, "--help-all").out();
      Matcher formats = FORMATS.matcher(help);
      byCommand.put(
          name,
          formats.find() ? new TreeSet<>(List.of(formats.group(2).split(",\\s+"))) : Set.of());
    }
    return byCommand;
  }

  @Test
  void eachCommandHasACaseInEachOfItsFormats() throws IOException {
    Map<String, Set<String>> frozen = new HashMap<>();
    for (String file : List.of("machine.cases", "other.cases")) {
      for (GoldenCase one : cases(file)) {
        String[] name = one.name().split("[.]", 2);
        frozen.computeIfAbsent(name[0], added -> new TreeSet<>()).add(name[1]);
      }
    }
    frozen.computeIfAbsent("run", added -> new TreeSet<>()).addAll(replay(new Inputs()).keySet());
    Set<String> lacking = new TreeSet<>();
    Map<String, Set<String>> formats = formats();
    formats.forEach(
        (command, names) -> {
          if (!frozen.containsKey(command)) {
            lacking.add(command);
          }
          names.stream()
              .filter(name -> !frozen.getOrDefault(command, Set.of()).contains(name))
              .forEach(name -> lacking.add(command + " " + name));
        });
    assertEquals(Set.of(), lacking, "without a case in " + FROZEN);
    if (formats.size() < 20 || formats.values().stream().mapToInt(Set::size).sum() < 60) {
      fail("the help is not understood: " + formats);
    }
  }
}
