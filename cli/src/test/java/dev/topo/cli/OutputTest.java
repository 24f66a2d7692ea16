package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import dev.topo.model.Topology;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.GraphWriter;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Where answers go, and what the formats for programs contain. */
class OutputTest {
  private static final Path TOPOLOGIES =
      Path.of(System.getProperty("topo.root")).resolve("topologies");
  private static final Path DGX_1V = TOPOLOGIES.resolve("dgx-1v.xml");
  private static final Path DGX_H100 = TOPOLOGIES.resolve("dgx-h100.xml");

  @TempDir private Path folder;

  private static Topology topology(Path file) {
    return new TopologyReader().read(file, GpuSelection.ALL, new Diagnostics());
  }

  private List<String> filesBelow(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> directory.relativize(file).toString())
          .sorted()
          .toList();
    }
  }

  private static String ok(String... args) {
    CliRun run = CliRun.of(args);
    assertEquals(0, run.status(), run.err());
    return run.out();
  }

  @ParameterizedTest
  @CsvSource({"draw,svg", "report,html"})
  void aFileNamedLikeAnotherFormatIsRefused(String command, String expected) {
    Path file = folder.resolve("picture.pdf");
    CliRun run =
        CliRun.of(command, TOPOLOGIES.resolve("gh200.xml").toString(), "-o", file.toString());
    assertEquals(2, run.status());
    assertTrue(run.err().contains("picture.pdf: ends in .pdf, expected ." + expected), run.err());
    assertFalse(Files.exists(file));
  }

  @Test
  void messagesDoNotSteerTheTerminal() throws IOException {
    Path map = Files.writeString(folder.resolve("map"), "\u001b[31mbad\n");
    CliRun run = CliRun.of("guest", DGX_H100.toString(), "--map-file", map.toString());
    assertEquals(3, run.status());
    assertTrue(run.err().contains("[31mbad"), run.err());
    assertFalse(run.err().contains("\u001b"), run.err());
  }

  @Test
  void aPipeIsWrittenToAndStaysOne() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    Process reader =
        new ProcessBuilder("head", "-n", "1", pipe.toString()).redirectErrorStream(true).start();
    ok("show", DGX_1V.toString(), "-o", pipe.toString());
    assertTrue(
        new String(reader.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .startsWith("dgx-1v: 8 GPUs"));
    assertFalse(Files.isRegularFile(pipe));
  }

  @Test
  void aLinkIsFollowed() throws IOException {
    Path target = Files.writeString(folder.resolve("target"), "before");
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("target"));
    ok("show", DGX_1V.toString(), "-o", link.toString());
    assertTrue(Files.isSymbolicLink(link));
    assertTrue(Files.readString(target).startsWith("dgx-1v: 8 GPUs"));
  }

  @Test
  void aLinkToAFileThatIsNotThereMakesIt() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("target"));
    ok("show", DGX_1V.toString(), "-o", link.toString());
    assertTrue(Files.isSymbolicLink(link));
    assertTrue(Files.readString(folder.resolve("target")).startsWith("dgx-1v: 8 GPUs"));
  }

  /** By whatever name the answer would be written over what it was made of. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "search in.xml -o in.xml",
        "search in.xml --format xml -o sub/../in.xml",
        "tune --node in.xml*4 -o link.xml",
        "whatif in.xml 'env NCCL_CROSS_NIC=1' -o in.xml",
        "predict in.xml --actual link.xml -o in.xml",
        "lint in.xml -o in.xml",
        "calibrate data.csv --topology in.xml -o data.csv",
        "search in.xml other/x.xml --format xml --out-dir ."
      })
  void anInputIsNotWrittenOver(String line) throws IOException {
    Path machine = Files.copy(DGX_1V, folder.resolve("in.xml"));
    Path data = Files.writeString(folder.resolve("data.csv"), "data");
    Files.createDirectory(folder.resolve("sub"));
    Files.copy(DGX_1V, Files.createDirectory(folder.resolve("other")).resolve("x.xml"));
    Files.createSymbolicLink(folder.resolve("link.xml"), Path.of("in.xml"));
    byte[] before = Files.readAllBytes(machine);
    List<String> args = new ArrayList<>();
    for (String word : CliRun.words(line)) {
      boolean isFile = word.matches("\\.|.*\\.(xml|csv)(\\*4)?");
      args.add(isFile ? folder.resolve(word).toString() : word);
    }
    CliRun run = CliRun.of(args.toArray(String[]::new));
    assertEquals(2, run.status(), run.err());
    assertTrue(run.err().contains(" is also an input, expected another f"), run.err());
    assertArrayEquals(before, Files.readAllBytes(machine));
    assertEquals("data", Files.readString(data));
  }

  /** Also one that no argument names: what was opened for reading is an input. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "diff @ --format text -o @/b.xml",
        "diff @/a.xml @/b.xml --format text -o @/hard",
        "connect @/a.xml --nodes 2 --fabric @/fabric.csv --hosts @@/hosts -o @/hosts",
        "search @/a.xml --env NCCL_GRAPH_FILE=@/graph.xml -o @/graph.xml",
        "search @/a.xml --env NCCL_TOPO_FILE=@/b.xml -o @/b.xml",
        "whatif @/a.xml 'machine @/b.xml' --format text -o @/b.xml",
        "whatif @/a.xml --edits @/edits --format text -o @/b.xml",
        "doctor --root @/root --format text -o @/root/etc/nccl.conf",
        "probe --sysfs-root @/root -o @/root/proc/cpuinfo"
      })
  void aFileThatWasReadIsNotWrittenOver(String line) throws IOException {
    Files.copy(DGX_1V, folder.resolve("a.xml"));
    Files.copy(DGX_1V, folder.resolve("b.xml"));
    Files.createLink(folder.resolve("hard"), folder.resolve("b.xml"));
    Files.writeString(folder.resolve("fabric.csv"), "node,nic,switch\nn0,*,s0\nn1,*,s0\n");
    Files.writeString(folder.resolve("hosts"), "n0\nn1\n");
    Files.writeString(folder.resolve("edits"), "machine " + folder.resolve("b.xml") + "\n");
    Files.writeString(
        folder.resolve("graph.xml"), ok("search", DGX_1V.toString(), "--format", "xml"));
    for (String file : List.of("etc/nccl.conf", "proc/cpuinfo", "sys/x")) {
      Path place = folder.resolve("root").resolve(file);
      Files.createDirectories(place.getParent());
      Files.writeString(place, "# 0\n");
    }
    String[] args =
        CliRun.words(line).stream()
            .map(word -> word.replaceFirst("@(?!@)", folder.toString()))
            .toArray(String[]::new);
    Map<Path, String> before = contents();
    CliRun run = CliRun.of(args);
    assertEquals(2, run.status(), run.err());
    assertTrue(
        run.err().contains(args[args.length - 1] + ": is also an input, expected another file"),
        run.err());
    assertEquals(before, contents());
  }

  private Map<Path, String> contents() throws IOException {
    Map<Path, String> contents = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        contents.put(file, Files.readString(file));
      }
    }
    return contents;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "show H -o D/x.json | {",
        "search H -o D/x.XML | <graphs",
        "search H -o D/x.json | {",
        "paths H -o D/x.tsv | from\tto",
        "connect H --nodes 2 -o D/x.tsv | channel",
        "tune H --sizes 1M -o D/x.csv | ",
        "predict H --sizes 1M -o D/x.csv | nodes,collective",
        "predict H --sizes 1M -o D/x.json | {",
        "explain H -o D/x.json | {",
        "whatif H 'remove gpu:7' -o D/x.json | {",
        "lint H -o D/x.sarif | {",
        "lint H -o D/x.sarif.json | {",
        "lint --list-rules -o D/x.csv | rule,subject",
        "guest H --map 0000:19:00.0=0000:05:00.0 -o D/x.json | {",
        "draw H -o D/x.svg | <svg",
        "show H --format json -o D/x.txt | {",
        "search H -o D/plan-2.28.9 | NCCL finds",
        "search H -o D/x | NCCL finds",
        "search H -o D/.hidden | NCCL finds",
        "search H -o D/x.txt | NCCL finds"
      })
  void theEndingPicksTheFormat(String line, String begin) throws IOException {
    CliRun run = CliRun.of(arguments(line));
    assertTrue(run.status() < 2, run.err());
    String written = Files.readString(folder.resolve(filesBelow(folder).get(0)));
    String expected = begin == null ? "" : begin.replace("\\t", "\t");
    assertTrue(written.stripLeading().startsWith(expected), written);
    boolean isJson = line.contains("json") || line.contains("sarif");
    assertEquals(isJson, written.startsWith("{"), written);
  }

  private String[] arguments(String line) {
    return CliRun.words(line).stream()
        .map(word -> word.equals("H") ? DGX_H100.toString() : word)
        .map(word -> word.startsWith("D/") ? folder + word.substring(1) : word)
        .toArray(String[]::new);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "show H -o D/x.foo | ends in .foo, expected .txt or .json",
        "search H -o D/x.svg | ends in .svg, expected .txt or .xml or .json",
        "paths H -o D/x.csv | ends in .csv, expected .txt or .tsv or .json",
        "predict H -o D/x.xml | ends in .xml, expected .txt or .json or .csv",
        "diff H H -o D/x.html | ends in .html, expected .txt or .json",
        "lint H -o D/x.xml | ends in .xml, expected .txt or .json or .sarif or .sarif.json or .csv",
        "doctor -o D/x.csv | ends in .csv, expected .txt or .json",
        "guest H -o D/x.md | ends in .md, expected .xml or .txt or .json",
        "whatif H 'remove gpu:7' -o D/x.xml | ends in .xml, expected .txt or .json",
        "calibrate D/y.csv -o D/x.json | ends in .json, expected .calibration or .txt",
        "probe -o D/x.json | ends in .json, expected .xml",
        "verify -o D/x.txt | ends in .txt, expected .json",
        "run all_reduce --output D/x.txt | ends in .txt, expected .json",
        "draw H --format png -o D/x.tiff | ends in .tiff, expected .png"
      })
  void anEndingOfNoFormatIsRefused(String line, String message) throws IOException {
    CliRun run = CliRun.of(arguments(line));
    assertEquals(2, run.status(), run.err());
    assertTrue(run.err().endsWith(message + "\n"), run.err());
    assertEquals(List.of(), filesBelow(folder));
  }

  @Test
  void aNameThatIsThatOfTheOutputByChanceIsNone() throws IOException {
    String cal = Files.writeString(folder.resolve("mine"), "old").toString();
    Path measured = Path.of(System.getProperty("topo.root"), "src/test/resources/measured");
    ok(
        "calibrate",
        measured.resolve("h200-x4.csv").toString(),
        "--topology",
        measured.resolve("h200-x4.topo.xml").toString(),
        "--min-size",
        "1G",
        "--name",
        cal,
        "-o",
        cal);
    assertTrue(Files.readString(Path.of(cal)).startsWith("name = " + cal));
  }

  @Test
  void aFileKeepsItsPermissions() throws IOException {
    Path file = Files.writeString(folder.resolve("mine"), "before");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    ok("show", DGX_1V.toString(), "-o", file.toString());
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
  }

  @Test
  void whereNothingCanBeWrittenIsToldWithoutNamesOfJava() throws IOException {
    Path file = folder.resolve("none/x.txt");
    CliRun run = CliRun.of("show", DGX_1V.toString(), "-o", file.toString());
    assertEquals(2, run.status());
    assertEquals(
        "topo: cannot write " + file + ": no folder " + folder.resolve("none") + "\n", run.err());
    String inTheWay = Files.writeString(folder.resolve("afile"), "").toString();
    CliRun below = CliRun.of("show", DGX_1V.toString(), DGX_H100.toString(), "--out-dir", inTheWay);
    assertEquals(2, below.status());
    assertTrue(below.err().endsWith(": a file is where a folder should be\n"), below.err());
    CliRun missing = CliRun.of("predict", DGX_H100.toString(), "--against", "missing.txt");
    assertEquals(3, missing.status());
    assertTrue(
        missing.err().startsWith("topo: missing.txt: no such file, expected"), missing.err());
  }

  @Test
  void anAnswerInAFileIsTheOneOnStdout() throws IOException {
    Path file = folder.resolve("answer.xml");
    String onStdout = ok("search", DGX_1V.toString(), "--format", "xml");
    assertEquals("", ok("search", DGX_1V.toString(), "--format", "xml", "-o", file.toString()));
    assertEquals(onStdout, Files.readString(file));
    assertEquals(List.of("answer.xml"), filesBelow(folder));
  }

  @Test
  void anOldAnswerIsReplacedWhole() throws IOException {
    Path file = Files.writeString(folder.resolve("answer.txt"), "x".repeat(100_000));
    ok("show", DGX_1V.toString(), "-o", file.toString());
    assertEquals(ok("show", DGX_1V.toString()), Files.readString(file));
  }

  @Test
  void nothingIsWrittenWhereThereIsNoAnswer() throws IOException {
    Path bad = Files.writeString(folder.resolve("bad.xml"), "<system/>");
    Path file = Files.writeString(folder.resolve("answer.txt"), "old");
    assertEquals(3, CliRun.of("show", bad.toString(), "-o", file.toString()).status());
    assertEquals("old", Files.readString(file));
    assertEquals(List.of("answer.txt", "bad.xml"), filesBelow(folder));
    Path directory = folder.resolve("out");
    assertEquals(3, CliRun.of("show", bad.toString(), "--out-dir", directory.toString()).status());
    assertFalse(Files.exists(directory));
  }

  @Test
  void aPlaceThatCannotBeWrittenIsAUsageError() throws IOException {
    CliRun directory = CliRun.of("show", DGX_1V.toString(), "-o", folder.toString());
    assertEquals(2, directory.status());
    assertTrue(directory.err().contains("is a directory, expected a file"), directory.err());
    CliRun absent =
        CliRun.of("show", DGX_1V.toString(), "-o", folder.resolve("no/such/x.txt").toString());
    assertEquals(2, absent.status());
    assertEquals(1, absent.err().lines().count(), absent.err());
    assertEquals(List.of(), filesBelow(folder));
  }

  @Test
  void aJobOfSeveralFilesHasOneAnswerOfItsOwnName() throws IOException {
    String[] question = {"search", "--node", DGX_1V.toString(), "--node", DGX_H100.toString()};
    String[] toDirectory = Arrays.copyOf(question, question.length + 2);
    toDirectory[question.length] = "--out-dir";
    toDirectory[question.length + 1] = folder.toString();
    ok(toDirectory);
    assertEquals(List.of("job.txt"), filesBelow(folder));
    assertEquals(ok(question), Files.readString(folder.resolve("job.txt")));
  }

  @Test
  void aDirectoryGetsOneAnswerPerInputNamedLikeIt() throws IOException {
    Path directory = folder.resolve("a/b");
    ok(
        "search",
        DGX_1V.toString(),
        DGX_H100.toString(),
        "--format",
        "xml",
        "--out-dir",
        directory.toString());
    assertEquals(List.of("dgx-1v.xml", "dgx-h100.xml"), filesBelow(directory));
    assertEquals(
        ok("search", DGX_H100.toString(), "--format", "xml"),
        Files.readString(directory.resolve("dgx-h100.xml")));
    ok("paths", DGX_1V.toString(), "--format", "tsv", "--out-dir", directory.toString());
    ok("show", DGX_1V.toString(), "--format", "json", "--out-dir", directory.toString());
    ok("show", DGX_1V.toString(), "--out-dir", directory.toString());
    assertEquals(
        List.of("dgx-1v.json", "dgx-1v.tsv", "dgx-1v.txt", "dgx-1v.xml", "dgx-h100.xml"),
        filesBelow(directory));
  }

  @Test
  void anUnusableInputDoesNotKeepTheOthersFromTheirFiles() throws IOException {
    Path bad = Files.writeString(folder.resolve("bad.xml"), "<system/>");
    Path directory = folder.resolve("out");
    CliRun run =
        CliRun.of("show", bad.toString(), DGX_1V.toString(), "--out-dir", directory.toString());
    assertEquals(3, run.status());
    assertEquals(List.of("dgx-1v.txt"), filesBelow(directory));
  }

  @Test
  void inputsOfEqualNamesKeepTheirFolders() throws IOException {
    Path one = folder.resolve("in/one/topo.xml");
    Path two = folder.resolve("in/two/topo.xml");
    Files.createDirectories(one.getParent());
    Files.createDirectories(two.getParent());
    Files.copy(DGX_1V, one);
    Files.copy(DGX_H100, two);
    Path directory = folder.resolve("out");
    ok("show", one.toString(), two.toString(), "--out-dir", directory.toString());
    assertEquals(List.of("one/topo.txt", "two/topo.txt"), filesBelow(directory));
    assertTrue(Files.readString(directory.resolve("one/topo.txt")).startsWith("one: 8 GPUs"));
    assertTrue(Files.readString(directory.resolve("two/topo.txt")).startsWith("two: 8 GPUs"));
  }

  @Test
  void oneFileUnderTwoNamesIsAUsageError() {
    CliRun run =
        CliRun.of(
            "show",
            DGX_1V.toString(),
            TOPOLOGIES.resolve("../topologies/dgx-1v.xml").toString(),
            "--out-dir",
            folder.toString());
    assertEquals(2, run.status());
    assertTrue(run.err().contains("is given twice"), run.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"xml", "json"})
  void severalAnswersForProgramsNeedADirectory(String format) {
    CliRun run = CliRun.of("search", DGX_1V.toString(), DGX_H100.toString(), "--format", format);
    assertEquals(2, run.status());
    assertEquals("", run.out());
    assertTrue(run.err().contains("2 input files need --out-dir DIR in this format"), run.err());
  }

  @ParameterizedTest
  @CsvSource({"text,', or neither to write all to stdout'", "xml,''"})
  void severalAnswersDoNotFitIntoOneFile(String format, String more) {
    String file = folder.resolve("all.txt").toString();
    CliRun run =
        CliRun.of("search", DGX_1V.toString(), DGX_H100.toString(), "--format", format, "-o", file);
    assertEquals(2, run.status());
    assertEquals(
        "topo: -o "
            + file
            + " is for one output, but there are 2 input files: expected --out-dir DIR"
            + more
            + "\n",
        run.err());
  }

  @Test
  void severalAnswersForPeopleFollowEachOther() {
    assertEquals(
        ok("show", DGX_1V.toString()) + "\n" + ok("show", DGX_H100.toString()),
        ok("show", DGX_1V.toString(), DGX_H100.toString()));
  }

  @Test
  void outputToAFileAndToADirectoryExcludeEachOther() {
    CliRun run =
        CliRun.of(
            "show",
            DGX_1V.toString(),
            "-o",
            folder.resolve("x").toString(),
            "--out-dir",
            folder.toString());
    assertEquals(2, run.status());
    assertTrue(run.err().contains("-o and --out-dir cannot be combined"), run.err());
  }

  @Test
  void tableOfPathsHasALineForEveryPair() {
    List<String> lines = ok("paths", DGX_1V.toString(), "--format", "tsv").lines().toList();
    assertEquals("from\tto\ttype\tbw\thops", lines.get(0));
    Topology topology = topology(DGX_1V);
    int ends = topology.gpus().size() + topology.nets().size() + topology.cpus().size();
    assertEquals(1 + ends * ends, lines.size());
    for (String line : lines) {
      assertEquals(5, line.split("\t", -1).length, line);
    }
    String gpu = topology.gpus().get(0).label();
    assertEquals(gpu + "\t" + gpu + "\tLOC\t5000\t0", lines.get(1));
  }

  @Test
  void xmlIsWhatGraphWriterWrites() {
    for (int nodes : new int[] {1, 2}) {
      Domain domain =
          DomainFinder.find(
                  topology(DGX_H100), NcclSettings.DEFAULTS, nodes > 1, NcclProfile.DEFAULT)
              .get(0);
      assertEquals(
          GraphWriter.write(
              GraphSearch.findAll(domain, NcclSettings.DEFAULTS, new Inputs()),
              domain.topology(),
              domain.profile().search().graphFormat),
          ok("search", DGX_H100.toString(), "--format", "xml", "--nodes", "" + nodes));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void ownGraphFileGivesTheSameGraphsBack(int nodes) throws IOException {
    for (Path machine : List.of(DGX_1V, DGX_H100)) {
      String[] args = {"search", machine.toString(), "--format", "xml", "--nodes", "" + nodes};
      Path dump = Files.writeString(folder.resolve("graph.xml"), ok(args));
      CliRun run =
          CliRun.of(
              "search",
              machine.toString(),
              "--format",
              "xml",
              "--nodes",
              "" + nodes,
              "--env",
              "NCCL_GRAPH_FILE=" + dump);
      assertEquals(0, run.status(), run.err());
      assertEquals(Files.readString(dump), run.out());
    }
  }

  @Test
  void aStatedGraphIsUsedInsteadOfASearch() throws IOException {
    String found = ok("search", DGX_1V.toString(), "--format", "xml");
    Path file = folder.resolve("graph.xml");
    Files.writeString(file, found.replaceFirst("speedintra=\"[0-9.]+\"", "speedintra=\"7\""));
    String stated =
        ok("search", DGX_1V.toString(), "--format", "xml", "--env", "NCCL_GRAPH_FILE=" + file);
    assertTrue(stated.contains("speedintra=\"7\""), stated);
  }

  @Test
  void aGraphFileForSeveralNodesNamesPortsOfTheMachine() throws IOException {
    String oneNode = ok("search", DGX_1V.toString(), "--format", "xml");
    Path file = Files.writeString(folder.resolve("graph.xml"), oneNode);
    String setting = "NCCL_GRAPH_FILE=" + file;
    CliRun run = CliRun.of("search", DGX_1V.toString(), "--nodes", "2", "--env", setting);
    assertEquals(3, run.status(), run.out());
    assertEquals(
        "topo: "
            + file
            + ":3:5: <channel>: has 0 <net>, expected one at each end: the job has several nodes\n",
        run.err());
    String twoNodes = ok("search", DGX_1V.toString(), "--nodes", "2", "--format", "xml");
    Files.writeString(file, twoNodes.replaceFirst("<net dev=\"\\w+\"/>", "<net dev=\"7\"/>"));
    run = CliRun.of("connect", DGX_1V.toString(), "--nodes", "2", "--env", setting);
    assertEquals(3, run.status(), run.out());
    assertEquals(
        "topo: "
            + file
            + ":4:7: <net>: attribute dev=\"7\", expected the device number of a network port of the"
            + " topology, one of 0, 1, 2, 3\n",
        run.err());
    assertEquals(0, CliRun.of("search", DGX_1V.toString(), "--env", setting).status());
  }

  @Test
  void graphsOfAMachineWithoutPortAreTakenBack() throws IOException {
    String text = Files.readString(DGX_1V).replaceAll("(?s)<nic>.*?</nic>", "");
    String machine = Files.writeString(folder.resolve("portless.xml"), text).toString();
    String[] search = {"search", machine, "--nodes", "2", "--format", "xml"};
    Path file = Files.writeString(folder.resolve("graph.xml"), ok(search));
    CliRun run = CliRun.of("search", machine, "--nodes", "2", "--env", "NCCL_GRAPH_FILE=" + file);
    assertEquals(0, run.status(), run.err());
  }

  @Test
  void aBadGraphFileIsBadInput() throws IOException {
    Path file = Files.writeString(folder.resolve("graph.xml"), "<graphs version=\"3\"/>");
    CliRun run = CliRun.of("search", DGX_1V.toString(), "--env", "NCCL_GRAPH_FILE=" + file);
    assertEquals(3, run.status());
    assertTrue(run.err().contains("graph.xml:1:1: <graphs>: attribute version=\"3\""), run.err());
  }

  @Test
  void graphsAsJsonHaveTheDocumentedFields() {
    JsonNode tree =
        JsonMapper.shared()
            .readTree(ok("search", DGX_H100.toString(), "--format", "json", "--nodes", "2"));
    JsonNode domain = tree.get("domains").get(0);
    assertEquals("dgx-h100 x 2", domain.get("job").get("machines").asString());
    assertEquals(2, domain.get("job").get("nodes").asInt());
    assertEquals(8, domain.get("gpuRanks").size());
    assertEquals(GraphKind.values().length, domain.get("graphs").size());
    for (JsonNode graph : domain.get("graphs")) {
      for (String field :
          List.of(
              "kind",
              "id",
              "pattern",
              "crossNic",
              "nChannels",
              "bwIntra",
              "bwInter",
              "latencyInter",
              "typeIntra",
              "typeInter",
              "sameChannels",
              "channels")) {
        assertTrue(graph.has(field), field);
      }
      assertEquals(graph.get("nChannels").asInt(), graph.get("channels").size());
    }
    JsonNode channel = domain.get("graphs").get(0).get("channels").get(0);
    assertEquals(8, channel.get("ranks").size());
    assertTrue(channel.has("netIn") && channel.has("netOut"));
  }

  @Test
  void pathsAsJsonHaveTheDocumentedFields() {
    JsonNode tree =
        JsonMapper.shared().readTree(ok("paths", DGX_1V.toString(), "--format", "json"));
    assertEquals("dgx-1v", tree.get("job").get("machines").asString());
    assertFalse(tree.get("paths").isEmpty());
    for (JsonNode path : tree.get("paths")) {
      for (String field : List.of("from", "to", "type", "bandwidthGBps", "hops", "via")) {
        assertTrue(path.has(field), field);
      }
      assertEquals(path.get("hops").asInt(), path.get("via").size());
    }
  }

  @Test
  void machinesAsJsonHaveTheDocumentedFields() {
    JsonNode tree = JsonMapper.shared().readTree(ok("show", DGX_1V.toString(), "--format", "json"));
    Topology topology = topology(DGX_1V);
    assertEquals("dgx-1v", tree.get("job").get("machines").asString());
    assertEquals(topology.size(), tree.get("nodes").size());
    int links = 0;
    for (int node = 0; node < topology.size(); node++) {
      assertEquals(topology.node(node).label(), tree.get("nodes").get(node).get("id").asString());
      links += topology.links(node).size();
    }
    assertEquals(links, tree.get("links").size());
    for (JsonNode link : tree.get("links")) {
      assertTrue(
          link.has("from") && link.has("to") && link.has("type") && link.has("bandwidthGBps"));
    }
  }
}
