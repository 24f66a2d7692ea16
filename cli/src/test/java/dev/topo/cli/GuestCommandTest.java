package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The topology file of a virtual machine. */
class GuestCommandTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final String DGX_H100 = machine("dgx-h100");
  private static final Path FILES = ROOT.resolve("examples");
  private static final Path LISTING = FILES.resolve("vm.lspci");

  @TempDir private Path folder;

  private static String machine(String name) {
    return ROOT.resolve("topologies/" + name + ".xml").toString();
  }

  private static CliRun guest(String... words) {
    List<String> args = new ArrayList<>(List.of("guest", "--verbose"));
    args.addAll(List.of(words));
    return CliRun.of(args.toArray(String[]::new));
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private String listing(String pattern, String replacement) throws IOException {
    String text = Files.readString(LISTING).replaceAll(pattern, replacement);
    return file("guest.lspci", text).toString();
  }

  @Test
  void theFileHasCpusAndPciDevicesWithTheBusIdsOfTheGuest() throws IOException {
    CliRun run = guest(DGX_H100, "--guest", LISTING.toString(), "--vcpus", "96");
    assertEquals(0, run.status(), run.err());
    assertEquals(Files.readString(FILES.resolve("vm.xml")), run.out());
    assertFalse(run.out().contains("<gpu") || run.out().contains("<net"), run.out());
    assertTrue(run.err().contains("8 x PHB no GDR          8 x PIX GDR"), run.err());
  }

  @Test
  void aScreenHasNeitherEqualRowsNorCardsButEveryGuess() {
    String[] words = {"guest", DGX_H100, "--guest", LISTING.toString(), "--format", "text"};
    String screen = CliRun.of(words).out();
    String all = guest(DGX_H100, "--guest", LISTING.toString(), "--format", "text").out();
    assertFalse(screen.contains("network card ") || screen.contains("one node"), screen);
    assertTrue(all.contains("network card ") && all.contains("one node"), all);
    assertTrue(screen.contains("more nodes"), screen);
    List<String> shown = remarks(screen);
    int last = shown.indexOf("rests on: 1 more (--verbose lists all)");
    assertEquals(remarks(all).subList(0, last), shown.subList(0, last));
  }

  private static List<String> remarks(String text) {
    return text.lines().dropWhile(line -> !line.startsWith("rests on: ")).toList();
  }

  @Test
  void affinityIsNoLongerThanNcclReads() throws IOException {
    Path file = folder.resolve("guest.xml");
    CliRun run =
        guest(DGX_H100, "--guest", LISTING.toString(), "--vcpus", "896", "-o", file.toString());
    assertEquals(0, run.status(), run.err());
    assertEquals(0, CliRun.of("lint", file.toString()).status());
    CliRun more = guest(DGX_H100, "--guest", LISTING.toString(), "--vcpus", "897");
    assertEquals(2, more.status());
    assertTrue(more.err().contains("expected a number from 1 to 896, NCCL cannot"), more.err());
  }

  @Test
  void outputGoesToAFileAsAWhole() throws IOException {
    Path file = folder.resolve("guest.xml");
    CliRun run =
        guest(DGX_H100, "--guest", LISTING.toString(), "--vcpus", "96", "-o", file.toString());
    assertEquals(0, run.status(), run.err());
    assertEquals("", run.out());
    assertEquals(Files.readString(FILES.resolve("vm.xml")), Files.readString(file));
  }

  /** What NCCL makes of the file in the guest is what it makes of the host. */
  @ParameterizedTest
  @CsvSource({
    "dgx-h100, 'gpu=h100,net=400000'",
    "dgx-a100, 'gpu=a100,net=200000'",
    "hgx-b200, 'gpu=b200,net=400000'",
    "hgx-h200-4nic, 'gpu=h200,net=400000'",
    "l40s-8-switched, 'gpu=l40s,net=200000'"
  })
  void theGuestHasTheGraphsOfTheHost(String machine, String devices) throws IOException {
    List<String> args = new ArrayList<>(List.of(machine(machine)));
    int bus = 0x20;
    for (String line : Files.readAllLines(Path.of(machine(machine)))) {
      String id = line.replaceFirst(".*<pci busid=\"([^\"]*)\" class=\"0x0[23].*", "$1");
      if (!id.equals(line)) {
        args.addAll(List.of("--map", id + "=" + Integer.toHexString(bus++) + ":00.0"));
      }
    }
    Path file = folder.resolve(machine + ".xml");
    args.addAll(List.of("-o", file.toString()));
    CliRun run = guest(args.toArray(String[]::new));
    assertEquals(0, run.status(), run.err());
    for (String nodes : List.of("1", "4")) {
      CliRun onHost = CliRun.of("search", machine(machine), "--nodes", nodes, "--format", "text");
      CliRun inGuest =
          CliRun.of(
              "search", file.toString(), "--assume", devices, "--nodes", nodes, "--format", "text");
      assertEquals(0, inGuest.status(), inGuest.err());
      assertEquals(channels(onHost), channels(inGuest));
    }
    CliRun lint = CliRun.of("lint", file.toString(), "--assume", devices);
    assertEquals(0, lint.status(), lint.out());
    assertFalse(lint.out().contains("error"), lint.out());
  }

  /** Without the names of switches, which are the guest's own. */
  private static String channels(CliRun run) {
    String text = run.out();
    // The guest's file has another name, so that its sentence may be short enough for more.
    return text.substring(text.indexOf("\n"))
        .replaceAll("\\s+", " ")
        .replaceAll("(PCI|NIC) 0-[0-9a-f]+", "$1");
  }

  @Test
  void someDevicesCanBePassedThroughByAMap() throws IOException {
    Path map =
        file("map", "# two GPUs\n0000:31:00.0 0000:05:00.0\n39:00.0 06:00.0 # and their cards\n");
    CliRun run =
        guest(
            DGX_H100,
            "--map-file",
            map.toString(),
            "--map",
            "0000:32:00.0=0000:07:00.0",
            "--map",
            "3a:00.0=08:00.0",
            "--format",
            "json");
    assertEquals(0, run.status(), run.err());
    JsonNode tree = new JsonMapper().readTree(run.out());
    assertEquals(4, tree.get("devices").size());
    assertEquals(2, tree.get("after").get("nearest").size());
    for (JsonNode port : tree.get("after").get("nearest")) {
      assertEquals("PIX", port.get("path").asString());
      assertTrue(port.get("gdr").asBoolean());
    }
    assertEquals(
        tree.get("host").get("between").get("ring"), tree.get("after").get("between").get("ring"));
    assertEquals("PHB", tree.get("before").get("nearest").get(0).get("path").asString());
    assertTrue(tree.get("beforeIsAssumed").asBoolean());
  }

  @Test
  void aMapAndAListingTogetherPairTheRestByOrder() {
    CliRun run =
        guest(
            DGX_H100,
            "--guest",
            LISTING.toString(),
            "--map",
            "0000:49:00.0=0000:05:00.0",
            "--format",
            "text");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("GPU           0000:49:00.0  0000:05:00.0"), run.out());
    assertTrue(run.out().contains("GPU           0000:11:00.0  0000:06:00.0"), run.out());
    assertTrue(run.out().contains("paired by the order of bus ids"), run.out());
  }

  @Test
  void theGuestsOwnDumpIsTheStateBefore() {
    CliRun run =
        guest(
            DGX_H100, "--guest", machine("hgx-h100-vm-flat"), "--format", "text", "--vcpus", "64");
    assertEquals(0, run.status(), run.err());
    assertFalse(run.out().contains("was taken for flat"), run.out());
    assertTrue(run.out().contains("8 x PHB no GDR"), run.out());
    assertTrue(run.out().contains("affinity is the host's"), run.out());
    assertTrue(
        run.out().contains("0000:00:17.0: NCCL's InfiniBand transport looks for"), run.out());
    assertTrue(run.out().contains("NCCL_IB_MERGE_VFS=0"), run.out());
  }

  @Test
  void numaDomainsOfTheGuestAreTakenWhereTheyAreAsOnTheHost() throws IOException {
    String dump =
        Files.readString(Path.of(DGX_H100))
            .replace("numaid=\"0\" affinity=\"ffffffff\"", "numaid=\"2\" affinity=\"0000ffff\"");
    CliRun run = guest(DGX_H100, "--guest", file("dump.xml", dump).toString());
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("<cpu numaid=\"2\" affinity=\"0000ffff\" arch"), run.out());
    assertTrue(run.err().contains("the guest's own NUMA domains"), run.err());
  }

  @Test
  void virtualFunctionsArePairedWithTheirCards() throws IOException {
    CliRun run = guest(DGX_H100, "--guest", listing("15b3:1021", "15b3:101e"), "--format", "text");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("taken for virtual functions of 0000:12:00.0"), run.out());
    assertTrue(run.out().contains("network card  0000:12:00.0  0000:0d:00.0"), run.out());
  }

  @Test
  void aCardOfAnotherVendorIsLeftOut() throws IOException {
    CliRun run =
        guest(
            DGX_H100,
            "--guest",
            listing("0000:01:00.0 0200: 1af4:1041", "0000:01:00.0 0200: 8086:1572"),
            "--format",
            "text");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("0000:01:00.0: a network card of a vendor that"), run.out());
  }

  @Test
  void gpusWithoutCardsCanBePassedThrough() throws IOException {
    CliRun run =
        guest(DGX_H100, "--guest", listing("(?m)^.*15b3:1021.*\n", ""), "--format", "text");
    assertEquals(0, run.status(), run.err());
    assertFalse(run.out().contains("more nodes"), run.out());
    assertFalse(run.out().contains("network card"), run.out());
  }

  @Test
  void whatIsNotClearIsNotGuessed() throws IOException {
    assertBad(
        listing("(?m)^0000:0[5-8].*\n", ""),
        "has 4 GPUs 10de:2330, the host has 8: which is which? say --map HOST=GUEST");
    assertBad(
        listing("10de:2330", "10de:2335"), "has 8 GPUs (10de:2335) that the host does not have");
    assertBad(listing("(?m)^.*10de:2330.*\n", ""), "no GPU of the host is in the guest");
    assertBad(listing("(?m)^(\\S+) .*$", "$1"), "tells bus ids only");
    assertBad(file("none", "hello\n").toString(), "expected a line of lspci -Dn");
    assertBad(folder.resolve("nowhere").toString(), "no such file");
  }

  private static void assertBad(String guest, String message) {
    CliRun run = guest(DGX_H100, "--guest", guest);
    assertEquals(3, run.status(), run.err());
    assertEquals("", run.out());
    assertTrue(run.err().contains(message), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0000:77:00.0=0000:05:00.0|3|has no PCI device 0000:77:00.0",
        "0000:11:00.0=0000:77:00.0|3|the guest has no PCI device 0000:77:00.0",
        "0000:11:00.0|2|expected HOST=GUEST",
        "0000:11:00.0=five|2|expected HOST=GUEST"
      })
  void aBadMapIsRefused(String line) {
    String[] parts = line.split("\\|");
    CliRun run = guest(DGX_H100, "--guest", LISTING.toString(), "--map", parts[0]);
    assertEquals(Integer.parseInt(parts[1]), run.status(), run.err());
    assertTrue(run.err().contains(parts[2]), run.err());
    assertEquals("", run.out());
  }

  @Test
  void aBadMapFileIsRefusedWithItsLine() throws IOException {
    Path map = file("map", "0000:11:00.0 0000:05:00.0\nfive\n");
    CliRun run = guest(DGX_H100, "--map-file", map.toString());
    assertEquals(3, run.status());
    assertTrue(run.err().contains(map + ":2:1: 'five': expected two bus ids"), run.err());
  }

  @Test
  void whatIsMissingIsAskedFor() {
    for (String[] words :
        List.of(
            new String[] {DGX_H100},
            new String[] {DGX_H100, "--guest", LISTING.toString(), "--vcpus", "0"},
            new String[] {DGX_H100, "--guest", LISTING.toString(), "--gpus", "0,1"})) {
      CliRun run = guest(words);
      assertEquals(2, run.status(), run.err());
      assertEquals("", run.out());
      assertTrue(run.err().contains("expected"), run.err());
    }
  }
}
