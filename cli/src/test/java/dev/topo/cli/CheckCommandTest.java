package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@code topo check} says of runs, and how it ends. */
class CheckCommandTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final String H200 = "examples/h200-x4.xml";
  private static final String H200_RUN = "examples/h200-x4-all_gather.txt";
  private static final String DGX = "topologies/dgx-h100.xml --nodes 2";

  @TempDir private Path folder;

  private static CliRun check(String words) {
    List<String> all = new ArrayList<>(List.of("check"));
    for (String word : CliRun.words(words)) {
      boolean isFile = word.startsWith("examples/") || word.startsWith("topologies/");
      all.add(isFile ? ROOT.resolve(word).toString() : word);
    }
    return CliRun.of(all.toArray(String[]::new));
  }

  /** Each exit status of the command; {@code #} is a file that is written before. */
  @ParameterizedTest
  @CsvSource({
    "0, PASS, examples/healthy.txt " + DGX,
    "0, PASS, " + H200_RUN + " " + H200,
    "1, SLOW, examples/one-nic.txt " + DGX,
    "1, SLOW, " + H200_RUN + " " + H200 + " --at-least 400",
    "0, PASS, " + H200_RUN + " " + H200 + " --at-least 300",
    "0, PASS, " + H200_RUN + " " + H200 + " --at-least 85%",
    "1, SLOW, examples/one-nic.txt " + DGX + " --at-least 50%",
    "2, '', examples/healthy.txt",
    "2, '', " + H200_RUN + " " + H200 + " --at-least fast",
    "2, '', " + H200_RUN + " " + H200 + " --at-least 105%",
    "2, '', " + H200_RUN + " topologies/dgx-h100.xml --nodes 1:4",
    "2, '', " + H200_RUN + " " + H200 + " --baseline examples/gate",
    "2, '', " + H200_RUN + " " + H200 + " --baseline examples --at-least 300",
    "2, '', --plan " + H200_RUN + " " + H200,
    "0, These runs, --plan " + DGX + " --format csv",
    "3, '', examples/nothing.txt " + H200,
    "3, '', examples/memory.csv " + H200,
    "6, NOT JUDGED, examples/healthy.txt " + H200,
    "6, NOT JUDGED, " + H200_RUN + " topologies/v100-4-mesh.xml",
  })
  void everyStatusMeansOneThing(int status, String verdict, String words) {
    CliRun run = check(words);
    assertEquals(status, run.status(), run.out() + run.err());
    assertTrue(run.out().startsWith(verdict), run.out());
    assertEquals(verdict.isEmpty(), run.out().isEmpty(), run.out());
  }

  private String changed(String name, String from, String to) throws IOException {
    String text = Files.readString(ROOT.resolve(name));
    String other = text.replaceFirst(from, to);
    assertTrue(!other.equals(text), from);
    Path file = folder.resolve("changed-" + Path.of(name).getFileName());
    return Files.writeString(file, other).toString();
  }

  /** A floor says nothing of calls below 1 MiB. */
  @Test
  void aRunOfSmallCallsIsNotJudgedByAFloor() throws IOException {
    String small = changed(H200_RUN, "(?s)     2097152 .*(?=# Out of bounds)", "");
    CliRun run = check(small + " " + H200 + " --at-least 85%");
    assertEquals(6, run.status(), run.out() + run.err());
    assertTrue(run.out().contains("has no size that is judged"), run.out());
  }

  @Test
  void wrongResultsAreStatusFive() throws IOException {
    String wrong = changed(H200_RUN, "0(\\s+1254.37)", "5$1");
    CliRun run = check(wrong + " " + H200);
    assertEquals(5, run.status(), run.err());
    assertTrue(run.out().contains("1 of 12 results are wrong (#wrong)"), run.out());
  }

  @Test
  void aRunThatEndedEarlyIsNotJudgedUnlessItIsSlow() throws IOException {
    CliRun run = check(changed(H200_RUN, "(?s)# Out of bounds.*", "") + " " + H200);
    assertEquals(6, run.status(), run.err());
    assertTrue(run.out().contains("the run was cut off"), run.out());
    CliRun slow = check(changed("examples/one-nic.txt", "(?s)# Out of bounds.*", "") + " " + DGX);
    assertEquals(1, slow.status(), slow.out());
  }

  @Test
  void aTimeThatIsSlowByItselfDoesNotFailItsBand() throws IOException {
    CliRun run =
        check(
            changed(H200_RUN, "345.66(\\s+)388.30(\\s+)291.22", "3456.6$138.83$229.12")
                + " "
                + H200
                + " --format json");
    assertEquals(0, run.status(), run.out());
    JsonNode bands = JsonMapper.shared().readTree(run.out()).at("/runs/0/bands");
    assertTrue(bands.toString().contains("times fail by themselves"), bands.toString());
  }

  /** All times are 1.8 times as long as predicted: 55.6 % of the predicted busbw. */
  @ParameterizedTest
  @CsvSource({"50, PASS", "55, PASS", "56, SLOW", "85, SLOW"})
  void aPartOfThePredictedBusbwIsAPartOfASpeed(int percent, String verdict) throws IOException {
    StringBuilder slow =
        new StringBuilder(
            "gpus,collective,forced_algorithm,forced_protocol,bytes,time_us,time_inplace_us\n");
    for (int size = 64; size <= 1024; size *= 2) {
      long bytes = (long) size << 20;
      CliRun predicted =
          CliRun.of(
              "predict",
              ROOT.resolve(H200).toString(),
              "--collective",
              "all_gather",
              "--sizes",
              size + "M",
              "--format",
              "json");
      double us =
          JsonMapper.shared().readTree(predicted.out()).at("/predictions/0/timeUs").asDouble();
      slow.append("4,all_gather,,,%s,%s,%s%n".formatted(bytes, 1.8 * us, 1.8 * us));
    }
    String file = Files.writeString(folder.resolve("slow.csv"), slow).toString();
    CliRun run = check(file + " " + H200 + " --at-least " + percent + "%");
    assertTrue(run.out().startsWith(verdict), run.out() + run.err());
  }

  /** One line each, and the most urgent decides. */
  @Test
  void wrongComesBeforeSlowBeforeNotJudged() throws IOException {
    String hostile = Files.writeString(folder.resolve("a.txt"), "1 2 x\n<x>\u0000").toString();
    String runs = H200_RUN + " examples/healthy.txt " + hostile + " ";
    CliRun mixed = check(runs + H200);
    assertEquals(6, mixed.status(), mixed.out());
    assertEquals(
        List.of("NOT JUDGED: ", "PASS: "),
        mixed.out().lines().skip(2).map(line -> line.replaceFirst(": .*", ": ")).toList());
    assertTrue(mixed.out().startsWith("2 of 3 runs: NOT JUDGED: "), mixed.out());
    String slow =
        changed(H200_RUN, "(\\s+)1277.67(\\s+)420.20(\\s+)315.15", "$12555.3$2210.1$3157.6");
    String slowBoth =
        Files.writeString(
                folder.resolve("slow.txt"),
                Files.readString(Path.of(slow))
                    .replace("1254.37  428.00  321.00", "2508.7  214.00  160.50"))
            .toString();
    assertEquals(1, check(runs + slowBoth + " " + H200).status());
    String wrong = changed(H200_RUN, "0(\\s+1254.37)", "5$1");
    assertEquals(5, check(runs + slowBoth + " " + wrong + " " + H200).status());
  }

  /** The files of a folder are runs of their own; thousands of them take little memory. */
  @Test
  void aFolderIsManyRuns() throws IOException {
    Path runs = Files.createDirectories(folder.resolve("runs/node"));
    String text = Files.readString(ROOT.resolve(H200_RUN));
    for (int i = 0; i < 300; i++) {
      Files.writeString(runs.resolve("run%03d.txt".formatted(i)), text);
    }
    CliRun run = check(folder.resolve("runs") + " " + H200 + " --format csv");
    assertEquals(0, run.status(), run.err());
    assertEquals(1 + 300 * 5, run.out().lines().count());
  }

  /** Of names that every format must escape, read by parsers of the formats. */
  @Test
  void formatsOfGatesAreValidForAnyName() throws Exception {
    String hostile =
        Files.copy(ROOT.resolve("examples/one-nic.txt"), folder.resolve("a\"b<&%{}.txt"))
            .toString();
    String words = "'" + hostile + "' examples/healthy.txt examples/memory.csv " + DGX;
    CliRun junit = check(words + " --format junit");
    assertEquals(1, junit.status(), junit.err());
    Element suite =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(junit.out())))
            .getDocumentElement();
    assertEquals("3", suite.getAttribute("tests"));
    NodeList cases = suite.getElementsByTagName("testcase");
    assertEquals(hostile, ((Element) cases.item(0)).getAttribute("name"));
    assertEquals(1, suite.getElementsByTagName("failure").getLength());
    assertEquals(1, suite.getElementsByTagName("error").getLength());

    List<JsonNode> lines =
        check(words + " --format jsonl").out().lines().map(JsonMapper.shared()::readTree).toList();
    assertEquals(hostile, lines.get(0).get("file").asString());
    assertEquals(
        List.of("SLOW", "PASS", "NOT_JUDGED"),
        lines.stream().map(line -> line.get("verdict").asString()).toList());

    String metric =
        "[a-z_]+\\{[a-z]+=\"(?:[^\"\\\\]|\\\\.)*\"(?:,[a-z]+=\"(?:[^\"\\\\]|\\\\.)*\")*\\} -?[0-9.]+";
    List<String> metrics = check(words + " --format openmetrics").out().lines().toList();
    assertEquals("# EOF", metrics.get(metrics.size() - 1));
    assertEquals(
        List.of(),
        metrics.stream().filter(line -> !line.startsWith("#") && !line.matches(metric)).toList());
    System.out.println("NOT RUN: promtool on OpenMetrics of topo check (not installed)");

    List<String> github = check(words + " --format github").out().lines().toList();
    assertEquals(2, github.size());
    assertTrue(github.get(0).startsWith("::error title=topo check::SLOW: "), github.get(0));
  }

  /** Of calls without a known range a provisional floor says that it is one. */
  @ParameterizedTest
  @CsvSource({
    "--nodes 2 --floor 99, 0, '96 of 100 healthy runs exceed'",
    "--nodes 2 --floor 90, 0, '90 of 100 healthy runs exceed'",
    "--nodes 2000 --floor 80, 0, 'No data earned a range'",
    "--nodes 2000 --floor 80 --provisional, 0, 'No data earned a range'",
    "--nodes 2 --floor 100, 2, ''",
    "--nodes 2 --provisional, 2, ''",
    "'--nodes 1,2 --floor 90', 2, ''"
  })
  void aFloorIsNoSurerThanItsClusters(String words, int status, String first) {
    List<String> all =
        new ArrayList<>(List.of("predict", ROOT.resolve("topologies/dgx-h100.xml") + ""));
    all.addAll(CliRun.words(words + " --sizes 1G --collective all_reduce"));
    CliRun run = CliRun.of(all.toArray(String[]::new));
    assertEquals(status, run.status(), run.err());
    assertTrue(run.out().startsWith(first), run.out());
    assertEquals(words.contains("--provisional") && status == 0, run.out().contains("provisional"));
  }

  /** The floor of 99 is what a run is judged by. */
  @Test
  void theFloorIsTheToleranceOfCheck() {
    CliRun floor =
        CliRun.of(
            "predict",
            ROOT.resolve("topologies/dgx-h100.xml").toString(),
            "--nodes=2",
            "--floor=99",
            "--sizes=1G",
            "--collective=all_reduce",
            "--format=json");
    JsonNode one = JsonMapper.shared().readTree(floor.out()).at("/floors/0");
    JsonNode bands =
        JsonMapper.shared()
            .readTree(check("examples/one-nic.txt " + DGX + " --format json").out())
            .at("/runs/0/bands");
    JsonNode last = bands.get(bands.size() - 1);
    assertEquals(1L << 30, last.get("bytes").asLong());
    assertEquals(
        one.get("busbwGBps").asDouble() / (1 + last.get("tolerance").asDouble()),
        one.get("floorGBps").asDouble(),
        0.01);
  }

  @Test
  void aPlanHasTheCommandsOfTheJob() {
    String plan =
        check("--plan " + DGX + " --ranks-per-process 4 --env NCCL_ALGO=Ring --collective=alltoall")
            .out();
    String tests = "alltoall_perf -b 1M -e 4G -f 4 -g 4";
    String mpirun = "\nmpirun -np 4 --map-by ppr:2:node -x NCCL_ALGO=Ring %s > alltoall.txt\n";
    assertTrue(plan.contains(mpirun.formatted(tests)), plan);
    String srun = "NCCL_ALGO=Ring srun -N 2 --ntasks-per-node 2 " + tests;
    assertTrue(plan.contains("# with Slurm: " + srun + "\n"), plan);
    String judge = "topo check *.txt %s/topologies/dgx-h100.xml --nodes 2 --ranks-per-process 4";
    assertTrue(plan.contains(judge.formatted(ROOT)), plan);
  }

  private static String script(String command) {
    return "#!/bin/bash\n" + command + "\n";
  }

  private Path program(String name, String command) throws IOException {
    Path file = Files.writeString(folder.resolve(name), script(command));
    assertTrue(file.toFile().setExecutable(true));
    return file;
  }

  /** The job of examples/gate with programs in place of Slurm's and nccl-tests'. */
  @Test
  void theSlurmJobDrainsASlowNode() throws Exception {
    program("srun", "cat '" + ROOT.resolve("examples/one-nic.txt") + "'");
    program("scontrol", "echo \"$@\" > '" + folder.resolve("drained") + "'");
    program(
        "topo",
        "exec java -XX:TieredStopAtLevel=1 -cp '%s' dev.topo.cli.Main \"$@\" --nodes 2"
            .formatted(System.getProperty("java.class.path")));
    ProcessBuilder job =
        new ProcessBuilder(
            "bash",
            ROOT.resolve("examples/gate/slurm-job.sh").toString(),
            ROOT.resolve("topologies/dgx-h100.xml").toString());
    job.environment().put("PATH", folder + ":" + System.getenv("PATH"));
    job.environment().put("METRICS", folder.toString());
    job.redirectErrorStream(true).redirectOutput(folder.resolve("log").toFile());
    assertEquals(1, job.start().waitFor(), Files.readString(folder.resolve("log")));
    assertTrue(Files.readString(folder.resolve("drained")).contains("State=DRAIN"));
    assertTrue(Files.readString(folder.resolve("topo.prom")).contains("verdict=\"SLOW\""));
    System.out.println("NOT RUN: slurmd and GitHub's runner (not installed)");
  }

  /** The container that judges, with the folders of its volumes. */
  @Test
  void theCommandOfTheKubernetesJobRuns() throws IOException {
    String job = Files.readString(ROOT.resolve("examples/gate/kubernetes.yaml"));
    Path runs = Files.createDirectories(folder.resolve("runs"));
    Files.copy(ROOT.resolve("examples/one-nic.txt"), runs.resolve("node1.txt"));
    String words =
        part(job, "args: \\[(.*)]")
            .replace(",", "")
            .replace("/runs", runs.toString())
            .replace("/topology/system.xml", ROOT + "/topologies/dgx-h100.xml");
    assertEquals(1, CliRun.of(CliRun.words(words + " --nodes 2").toArray(String[]::new)).status());
    String tests = part(job, "command: \\[sh, -c, \"(.*) > /runs");
    assertTrue(tests.startsWith("all_reduce_perf -b 1M -e 4G"), tests);
    for (String volume : List.of("runs", "topology")) {
      assertTrue(job.contains("{name: %s, mountPath: /%s}".formatted(volume, volume)), job);
      assertTrue(job.contains("- {name: %s, ".formatted(volume)), job);
    }
    System.out.println("NOT RUN: a Kubernetes API server and Grafana (not installed)");
  }

  private static String part(String text, String pattern) {
    Matcher found = Pattern.compile(pattern).matcher(text);
    assertTrue(found.find(), pattern);
    return found.group(1);
  }

  @Test
  void thePrologFailsOnASlowNodeOnly() throws Exception {
    program("logger", "cat > '" + folder.resolve("logged") + "'");
    program(
        "topo",
        "exec java -XX:TieredStopAtLevel=1 -cp '%s' dev.topo.cli.Main \"$@\" --nodes 2"
            .formatted(System.getProperty("java.class.path")));
    for (String run : List.of("one-nic", "healthy")) {
      program("all_reduce_perf", "cat '%s/examples/%s.txt'".formatted(ROOT, run));
      ProcessBuilder prolog =
          new ProcessBuilder("bash", ROOT.resolve("examples/gate/slurm-prolog.sh").toString());
      prolog.environment().put("PATH", folder + ":" + System.getenv("PATH"));
      prolog.environment().put("SLURM_JOB_GPUS", "0");
      prolog.environment().put("TOPOLOGY", ROOT.resolve("topologies/dgx-h100.xml").toString());
      prolog.redirectErrorStream(true).redirectOutput(folder.resolve("log").toFile());
      assertEquals(
          run.equals("healthy") ? 0 : 1,
          prolog.start().waitFor(),
          Files.readString(folder.resolve("log")));
      assertTrue(Files.readString(folder.resolve("logged")).startsWith("{\"file\": "));
    }
  }

  @Test
  void theGrafanaPanelShowsWhatCheckWrites() throws IOException {
    String expression =
        JsonMapper.shared()
            .readTree(ROOT.resolve("examples/gate/grafana-panel.json").toFile())
            .at("/targets/0/expr")
            .asString();
    String name = expression.replaceFirst(".*\\((\\w+)\\)$", "$1");
    String written = check("examples/one-nic.txt " + DGX + " --format openmetrics").out();
    assertTrue(written.contains("\n" + name + "{run="), name);
    for (String label : List.of("collective", "bytes")) {
      assertTrue(written.contains("," + label + "="), written);
    }
  }

  @Test
  void theCommandsOfTheWorkflowRun() throws IOException {
    Path runs = Files.createDirectories(folder.resolve("runs"));
    Files.copy(ROOT.resolve(H200_RUN), runs.resolve("node1.txt"));
    List<String> commands =
        Files.readAllLines(ROOT.resolve("examples/gate/github-workflow.yml")).stream()
            .filter(line -> line.contains("- run: topo "))
            .map(line -> line.replaceFirst(".*- run: topo ", ""))
            .toList();
    assertEquals(2, commands.size());
    for (String command : commands) {
      String words =
          command
              .replace("topologies/*.xml", ROOT.resolve(H200).toString())
              .replace("topologies/system.xml", ROOT.resolve(H200).toString())
              .replace("runs/", runs.toString());
      assertEquals(0, CliRun.of(CliRun.words(words).toArray(String[]::new)).status(), words);
    }
  }

  @Test
  void theDocumentHasWhatIsPrinted() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/check.md"));
    String printed = check("examples/one-nic.txt " + DGX).out().replace(ROOT + "/", "");
    assertTrue(page.contains(printed.strip()), printed);
  }
}
