package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.log.Fact;
import dev.topo.inspect.log.Fact.Topic;
import dev.topo.inspect.log.FileComparison;
import dev.topo.inspect.log.LogComparison;
import dev.topo.inspect.log.NcclLogReader;
import dev.topo.model.Quantiles;
import dev.topo.model.fixture.DocumentTables;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.GraphWriter;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.connect.Connection;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.topology.TopologySource.UnknownElements;
import dev.topo.search.tuning.Communicator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Compares what NCCL dumped and logged on real GPUs with our answers, and with the tables of the
 * document. {@code src/test/gpu/collect-logs.sh} makes the archive.
 */
class CheckedOnGpusDocumentTest {
  private static final String FIRST_GPU = "0000:00:06.0";
  private static final String SECOND_GPU = "0000:00:07.0";
  private static final String TWO_GPUS = "2 GPUs";
  private static final Pattern TIMES =
      Pattern.compile(
          " *(\\d+) +\\d+ +\\S+ +\\S+ +\\S+ +([0-9.]+) +\\S+ +\\S+ +\\S+ +([0-9.]+) .*");
  private static final Map<String, List<Topic>> COLUMNS = columns();

  private static Map<String, List<Topic>> columns() {
    Map<String, List<Topic>> columns = new LinkedHashMap<>();
    columns.put("paths", List.of(Topic.SYSTEM, Topic.PATH));
    columns.put("graph file", List.of(Topic.GRAPH_FILE));
    columns.put("graphs and channels", List.of(Topic.GRAPH, Topic.GRAPH_CHANNEL, Topic.CHANNEL));
    columns.put("rings and trees", List.of(Topic.RING, Topic.TREE));
    columns.put("threads and tuner table", List.of(Topic.THREADS, Topic.MODEL));
    columns.put("choices", List.of(Topic.CHOICE));
    return columns;
  }

  /** One run of all collectives with some settings, by a version; the second host has this GPU. */
  private record Run(
      String name, Map<String, String> files, NcclProfile profile, String secondGpu) {
    NcclSettings settings() {
      return NcclSettings.parse(files.get("settings.txt").lines().distinct().toList());
    }

    List<String> logs() {
      return files.keySet().stream().filter(file -> file.endsWith(".log")).toList();
    }

    XmlElement xml(String file) {
      return CheckedOnGpusDocumentTest.xml(files.get(file), name + "/" + file);
    }

    /** The dumped machine, with its GPU at another bus id: rank 0 alone writes dumps. */
    Machine machine(String file, String busId) {
      String text = files.get(file);
      byte[] xml =
          (busId.isEmpty() ? text : text.replace(FIRST_GPU, busId))
              .getBytes(StandardCharsets.UTF_8);
      return new Machine(
          new TopologyReader(UnknownElements.REJECTED, profile)
              .map(
                  new XmlReader().read(xml, name + "/" + file),
                  GpuSelection.ALL,
                  new Diagnostics()),
          settings());
    }
  }

  private static XmlElement xml(String text, String name) {
    return new XmlReader().read(text.getBytes(StandardCharsets.UTF_8), name).root();
  }

  @Test
  void theDocumentSaysWhatTheLogsSay() throws IOException {
    AccuracyFile table =
        new AccuracyFile(
            "nccl,job,runs,"
                + COLUMNS.keySet().stream()
                    .map(name -> name.replace(' ', '_'))
                    .map(name -> name + "_compared," + name + "_equal")
                    .collect(Collectors.joining(",")));
    addRows(table, "h200-x2.tar.gz", NcclProfile.DEFAULT, TWO_GPUS);
    addRows(table, "h200-x2-nccl-2.28.3.tar.gz", NcclProfile.of("2.28.3"), TWO_GPUS);
    for (String release : CheckedArchive.releases("logs")) {
      addRows(
          table, CheckedArchive.logsOf(release), NcclProfile.of(release), CheckedArchive.ONE_GPU);
    }
    CheckedArchive.check("nccl-logs.csv", table);
  }

  private static void addRows(AccuracyFile table, String archive, NcclProfile profile, String gpus)
      throws IOException {
    Map<String, String> files = CheckedArchive.unpacked(archive);
    List<Run> runs = runs(files, profile, gpus.equals(TWO_GPUS) ? SECOND_GPU : FIRST_GPU);
    table.add(row("one host, " + gpus, runs, "one-host"));
    table.add(row("2 hosts (NCCL_HOSTID), " + gpus, runs, "two-hosts"));
    if (files.containsKey("probe.xml")) {
      List<Fact> probe =
          FileComparison.of(
              Topic.TOPOLOGY,
              "probe.xml",
              runs.get(0).xml("topology.xml"),
              xml(files.get("probe.xml"), "probe.xml"));
      assertEquals(List.of(), different(probe));
    }
  }

  /** On one machine, so that what differs is by the release. */
  @Test
  void releasesDetectTheMachineAsTheirRulesSay() throws IOException {
    String dump = "two-hosts-01/topology.0.xml";
    XmlElement as2283 = xml(CheckedArchive.unpacked(CheckedArchive.logsOf("2.28.3")).get(dump), "");
    for (String release : CheckedArchive.RELEASES) {
      XmlElement other = xml(CheckedArchive.unpacked(CheckedArchive.logsOf(release)).get(dump), "");
      List<String> otherwise = NcclProfile.of(release).xml().detectedOtherwise;
      assertEquals(
          List.of(),
          different(FileComparison.of(Topic.TOPOLOGY, release, other, as2283, otherwise)),
          release);
      assertEquals(
          otherwise.isEmpty(),
          different(FileComparison.of(Topic.TOPOLOGY, release, other, as2283)).isEmpty(),
          release);
    }
  }

  @Test
  void theDocumentSaysHowFastRunIs() throws IOException {
    Map<String, Map<String, List<Double>>> times = new TreeMap<>();
    CheckedArchive.unpacked("h200-x2-run.tar.gz")
        .forEach((file, text) -> addTimes(times, file, text));
    String table =
        "| sizes | results | topo run and nccl-tests | largest difference | median difference |\n"
            + "|---|---|---|---|---|\n"
            + differences(times, "large", "16 MiB to 1 GiB, `-n 20 -w 5`", 3, "%")
            + differences(times, "small", "up to 8 MiB, `-n 100 -w 20`", 2, "us");
    DocumentTables.check("src/test/resources/checked/README.md", Map.of("run", table));
  }

  @Test
  void theDocumentSaysWhatVerifyFound() throws IOException {
    List<String> lines = Files.readAllLines(CheckedArchive.FOLDER.resolve("h200-x2-verify.txt"));
    List<String> of2283 =
        Files.readAllLines(CheckedArchive.FOLDER.resolve("h200-x2-nccl-2.28.3-verify.txt")).stream()
            .map(String::strip)
            .filter(line -> line.matches("[a-z ]+ \\d+ of \\d+"))
            .toList();
    List<String> agreement =
        lines.stream()
            .map(String::strip)
            .filter(line -> line.matches("[a-z ]+ \\d+ of \\d+"))
            .toList();
    AccuracyFile file = new AccuracyFile("compared,facts,equal");
    agreement.stream()
        .map(line -> line.split(" {2,}| of ", -1))
        .forEach(cell -> file.add(cell[0], cell[2], cell[1]));
    file.check("nccl-verify.csv");
    String choice =
        lines.stream()
            .filter(line -> line.startsWith("NCCL's choice is"))
            .map(line -> line + ".\n")
            .collect(Collectors.joining());
    DocumentTables.check("src/test/resources/checked/README.md", Map.of("verify", choice));
    assertEquals(agreement.size(), of2283.size());
    of2283.forEach(line -> assertTrue(line.matches(".* (\\d+) of \\1"), line));
  }

  /** Times by program, of files like {@code all_reduce.small.1.topo}. */
  private static void addTimes(
      Map<String, Map<String, List<Double>>> times, String file, String text) {
    List<String> name = List.of(file.split("\\."));
    text.lines()
        .map(TIMES::matcher)
        .filter(Matcher::matches)
        .filter(row -> !row.group(1).equals("0"))
        .forEach(
            row -> {
              for (int place = 2; place <= 3; place++) {
                times
                    .computeIfAbsent(
                        name.get(1) + " " + name.get(0) + " " + row.group(1) + " " + place,
                        key -> new TreeMap<>())
                    .computeIfAbsent(name.get(3), program -> new ArrayList<>())
                    .add(Double.valueOf(row.group(place)));
              }
            });
  }

  private static String differences(
      Map<String, Map<String, List<Double>>> times,
      String sizes,
      String title,
      double bound,
      String unit) {
    List<Double> differences =
        times.entrySet().stream()
            .filter(entry -> entry.getKey().startsWith(sizes))
            .map(Map.Entry::getValue)
            .map(
                of -> {
                  double other = Quantiles.median(of.get("nccl-tests"));
                  double difference = Quantiles.median(of.get("topo")) - other;
                  return unit.equals("%") ? 100 * difference / other : difference;
                })
            .toList();
    long within = differences.stream().filter(d -> Math.abs(d) <= bound).count();
    return String.format(
        Locale.ROOT,
        "| %s | %d | %d of %d within %.0f %s | %.1f %s | %.1f %s |\n",
        title,
        differences.size(),
        within,
        differences.size(),
        bound,
        unit,
        differences.stream().mapToDouble(Math::abs).max().orElseThrow(),
        unit,
        Quantiles.median(differences),
        unit);
  }

  private static Object[] row(String title, List<Run> runs, String prefix) {
    List<Run> own = runs.stream().filter(run -> run.name().startsWith(prefix)).toList();
    List<Fact> facts = own.stream().flatMap(run -> facts(run).stream()).toList();
    assertEquals(List.of(), different(facts), title);
    List<Object> cells = new ArrayList<>(List.of(runs.get(0).profile(), title, own.size()));
    COLUMNS
        .values()
        .forEach(
            topics -> {
              List<Fact> compared =
                  facts.stream().filter(fact -> topics.contains(fact.topic())).toList();
              cells.add(compared.size());
              cells.add(compared.size() - different(compared).size());
            });
    return cells.toArray();
  }

  private static List<Fact> facts(Run run) {
    boolean isOneHost = run.files().containsKey("topology.xml");
    List<Machine> machines =
        isOneHost
            ? List.of(run.machine("topology.xml", ""))
            : List.of(
                run.machine("topology.0.xml", ""), run.machine("topology.0.xml", run.secondGpu()));
    Communicator communicator =
        Communicator.of(new Job(machines), GraphSearch::findAll, run.profile());
    Connection connection = communicator.connection();
    List<Fact> facts = new ArrayList<>();
    String dump = isOneHost ? "graphs.xml" : "graphs.0.xml";
    String ours =
        GraphWriter.write(
            connection.searchedGraphs(0),
            connection.domain(0).topology(),
            run.profile().search().graphFormat);
    facts.addAll(
        FileComparison.of(
            Topic.GRAPH_FILE, run.name() + "/" + dump, run.xml(dump), xml(ours, "ours")));
    for (String log : run.logs()) {
      facts.addAll(
          LogComparison.of(communicator, NcclLogReader.parse(run.files().get(log))).facts());
    }
    return facts;
  }

  private static List<Fact> different(List<Fact> facts) {
    return facts.stream().filter(fact -> !fact.isEqual()).toList();
  }

  private static List<Run> runs(Map<String, String> files, NcclProfile profile, String secondGpu) {
    return CheckedArchive.folders(files).entrySet().stream()
        .map(e -> new Run(e.getKey(), e.getValue(), profile, secondGpu))
        .toList();
  }
}
