package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import dev.topo.model.io.Inputs;
import dev.topo.model.xml.XmlElement;
import dev.topo.model.xml.XmlNode;
import dev.topo.model.xml.XmlReader;
import dev.topo.model.xml.XmlWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Topology files with the PCI tree only, completed by {@code --assume}. */
class AssumeTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));

  /** What a machine of {@code topologies} is, as far as its file does not tell it by PCI. */
  private static final Map<String, String> MACHINES = machines();

  @TempDir private Path folder;

  private Path sparse = Path.of("");

  private static Map<String, String> machines() {
    Map<String, String> machines = new LinkedHashMap<>();
    machines.put("a100-pcie-4-bridged", "gpu=a100,nvlink=pairs,net=200000");
    machines.put("dgx-2", "gpu=v100,net=100000");
    machines.put("dgx-a100", "gpu=a100,net=200000");
    machines.put("dgx-h100", "gpu=h100,nvlink=nvswitch,net=400000");
    machines.put("gb200-tray", "gpu=gb200,net=400000");
    machines.put("gh200", "gpu=gh200,net=200000,nvlink=none");
    machines.put("hgx-a100-1nic", "gpu=a100,net=200000");
    machines.put("hgx-b200", "gpu=b200,net=400000");
    machines.put("hgx-h100-32nic", "gpu=h100,net=100000");
    machines.put("hgx-h100-dualport", "gpu=h100,net=200000,ports=2");
    machines.put("hgx-h100-vm-flat", "gpu=h100,net=400000");
    machines.put("hgx-h200-4nic", "gpu=h200,net=400000");
    machines.put("l40s-4", "gpu=l40s,net=100000");
    machines.put("l40s-8-switched", "gpu=l40s,net=200000");
    machines.put("rtx3090-2-bridged", "gpu=rtx3090,nvlink=pairs");
    machines.put("rtx4090-2", "gpu=rtx4090");
    return machines;
  }

  @BeforeEach
  void writeASparseFile() throws IOException {
    sparse = sparse("dgx-h100");
  }

  private Path sparse(String machine) throws IOException {
    Path file = folder.resolve(machine + ".xml");
    XmlElement full = new XmlReader().read(whole(machine), new Inputs()).root();
    Files.writeString(file, XmlWriter.write(pciOnly(full)));
    return file;
  }

  private static Path whole(String machine) {
    return ROOT.resolve("topologies/" + machine + ".xml");
  }

  /** A tree without what hangs on PCI devices. */
  private static XmlElement pciOnly(XmlElement element) {
    List<XmlNode> children = new ArrayList<>();
    for (XmlElement child : element.elements()) {
      if (!element.name().equals("pci") || child.name().equals("pci")) {
        children.add(pciOnly(child));
      }
    }
    return new XmlElement(element.name(), element.attributes(), children, element.location());
  }

  private static CliRun assumed(Path file, String devices, String... words) {
    List<String> args = new ArrayList<>(List.of(words));
    args.addAll(1, List.of(file.toString(), "--assume", devices));
    return CliRun.of(args.toArray(String[]::new));
  }

  @Test
  void completedMachinesHaveTheGraphsOfTheWholeOnes() throws IOException {
    List<String> different = new ArrayList<>();
    int compared = 0;
    for (Map.Entry<String, String> machine : MACHINES.entrySet()) {
      for (String nodes : List.of("1", "4")) {
        CliRun whole =
            CliRun.of(
                "search", whole(machine.getKey()).toString(), "--nodes", nodes, "--format", "xml");
        assertEquals(0, whole.status(), whole.err());
        CliRun completed =
            assumed(
                sparse(machine.getKey()),
                machine.getValue(),
                "search",
                "--nodes",
                nodes,
                "--format",
                "xml");
        compared++;
        if (!whole.out().equals(completed.out())) {
          different.add(machine.getKey() + " x " + nodes + " " + completed.err());
        }
      }
    }
    System.out.println(
        String.format(
            "assumed %d/%d (graphs of %d machines, 1 and 4 nodes)",
            compared - different.size(), compared, MACHINES.size()));
    assertEquals(List.of(), different);
  }

  @Test
  void whatWasAssumedIsToldOnceOnStderr() {
    CliRun run = assumed(sparse, "gpu=h100,net=400000", "search", "--nodes", "2");
    assertEquals(0, run.status(), run.err());
    assertEquals(
        "topo: "
            + sparse
            + ": assumed 8 x H100 (sm 90, 18 NVLinks each to NVSwitches, GPUDirect RDMA) in the"
            + " order of bus ids; 8 x net mlx5_0 to mlx5_7 of 400000 Mbit/s by bus id (GDR on,"
            + " maxconn 131072, guid by card)\n",
        run.err());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"show", "paths", "search", "connect", "tune", "predict", "explain", "draw"})
  void everyCommandAboutAMachineTakesIt(String command) {
    CliRun without = CliRun.of(command, sparse.toString());
    assertEquals(3, without.status());
    CliRun run = assumed(sparse, "gpu=h100,net=400000", command);
    assertEquals(0, run.status(), run.err());
    assertFalse(run.out().isEmpty());
    assertTrue(run.err().contains("assumed 8 x H100"), run.err());
  }

  @Test
  void whatifAndDiffTakeIt() {
    String devices = "gpu=h100,net=400000";
    CliRun whatif =
        CliRun.of("whatif", sparse.toString(), "remove net:mlx5_3", "--assume", devices);
    assertEquals(0, whatif.status(), whatif.err());
    assertTrue(whatif.out().contains("after:  8 GPUs (sm 90), NVSwitch, 7 ports"), whatif.out());
    CliRun diff =
        CliRun.of("diff", whole("dgx-h100").toString(), sparse.toString(), "--assume", devices);
    assertFalse(diff.out().contains("ring  "), diff.out());
    assertTrue(diff.err().contains("is complete, nothing was assumed"), diff.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gpu=h1000 | gpu=h1000: expected one of p100, v100",
        "net=400000 | gpu=: expected one of p100, v100",
        "gpu=h100,net=400 | net=400: expected the speed of a port in Mbit/s",
        "gpu=h100,net=fast | net=fast: expected the speed of a port in Mbit/s",
        "gpu=h100,nvlink=mesh | nvlink=mesh: expected one of none, nvswitch, pairs",
        "gpu=l40s,nvlink=nvswitch | nvlink=nvswitch: a L40S has none such",
        "gpu=h100,nics=3 | nics=3: changes nothing without net=SPEED",
        "gpu=h100,nvlink=none,nvswitches=4 | nvswitches=4: changes nothing without nvlink=nvswitch",
        "gpu=h100,cpu=z80 | cpu=z80: expected one of intel-broadwell",
        "gpu=h100,net=400000,ports=9 | ports=9: expected a number from 1 to 4",
        "gpu=h100,net=400000,nic=5 | nic=5: expected the beginning of a device's name",
        "gpu=h100,colour=red | 'colour=red': expected KEY=VALUE with one of gpu, nvlink",
        "gpu=h100,gpu=h200 | gpu is named twice",
        "h100 | 'h100': expected KEY=VALUE"
      })
  void aBadAssumptionEndsInStatusTwoAndOneLine(String devices, String expected) {
    for (String command : List.of("search", "lint")) {
      CliRun run = assumed(sparse, devices, command);
      assertEquals(2, run.status(), run.err());
      assertEquals("", run.out());
      assertTrue(run.err().startsWith("topo: --assume " + expected), run.err());
      assertEquals(1, run.err().lines().count(), run.err());
    }
  }

  @Test
  void countsAndNamesCanBeGiven() {
    CliRun run = assumed(sparse, "gpu=h100,gpus=2,net=100000,nics=1,nic=rdmap,gdr=0", "show");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("2 GPUs (sm 90), NVSwitch, 1 port of 12.5"), run.out());
    assertTrue(run.out().contains("rdmap0, 12.5 GB/s"), run.out());
    assertFalse(run.out().contains("GDR"), run.out());
    assertTrue(run.err().contains("2 of 8 x H100"), run.err());
    assertTrue(run.err().contains("1 x net rdmap0 on 1 of 8 cards"), run.err());
  }

  @Test
  void devicesThatTheFileNamesStayAsTheyAre() throws IOException {
    Path file = folder.resolve("half.xml");
    String links = "<nvlink target=\"ffffffff:ffff:ff\" count=\"18\" tclass=\"0x068000\"/>\n";
    String whole = Files.readString(whole("dgx-h100"));
    Files.writeString(
        file, whole.replace(links, "").replace("guid=\"0x9403f0000300\"", "guid=\"0x77\""));
    CliRun run = assumed(file, "gpu=h100,net=100000", "search", "--nodes", "4", "--format", "xml");
    assertEquals(0, run.status(), run.err());
    assertEquals(
        CliRun.of("search", whole("dgx-h100").toString(), "--nodes", "4", "--format", "xml").out(),
        run.out());
    assertTrue(
        run.err()
            .endsWith(
                ": assumed 18 NVLinks each to NVSwitches for 8 of the GPUs that the file names\n"),
        run.err());
  }

  private Path without(String start, String end) throws IOException {
    String whole = Files.readString(whole("dgx-h100"));
    int from = whole.indexOf(start);
    int to = whole.indexOf(end, from) + end.length();
    return Files.writeString(
        folder.resolve("half.xml"), whole.substring(0, from) + whole.substring(to));
  }

  @Test
  void whatIsAssumedIsOnlyWhatTheFileDoesNotName() throws IOException {
    CliRun one = assumed(without("<gpu ", "</gpu>"), "gpu=h200", "search");
    assertEquals(0, one.status(), one.err());
    assertTrue(one.err().contains("assumed 1 x H200 (sm 90, "), one.err());
    assertTrue(one.err().contains(" beside 7 that the file names"), one.err());
    CliRun some = assumed(whole("dgx-h100"), "gpu=b200,gpus=4", "search");
    assertEquals(0, some.status(), some.err());
    assertTrue(some.err().endsWith(": assumed the first 4 of 8 GPUs by bus id\n"), some.err());
    assertTrue(some.out().startsWith("dgx-h100: 4 GPUs (sm 90)"), some.out());
  }

  @Test
  void aPortThatIsAddedHasANameOfItsOwn() throws IOException {
    CliRun run = assumed(without("<nic>", "</nic>"), "gpu=h100,net=400000", "search");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.err().contains("assumed 1 x net mlx5_0 of 400000 Mbit/s"), run.err());
    assertTrue(run.out().contains("8 ports of 50 GB/s"), run.out());
  }

  @Test
  void noPortIsAskedForTwice() {
    CliRun run = assumed(sparse, "gpu=h100,net=400000,nics=0", "search");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.err().endsWith("; no network port\n"), run.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<pci busid='0000:00:16.0'/><pci busid='0000:00:17.0'/> | and 1 more: has no class and nothing below it",
        "<pci busid='0000:00:16.0' class='0x060400'/> | has no place for a GPU",
        "<pci busid='0000:1B:00.0' class='0x030200'/> | is not written as NCCL writes it"
      })
  void aFileThatDoesNotTellItsDevicesEndsInStatusThree(String devices, String expected)
      throws IOException {
    Path file = folder.resolve("untold.xml");
    Files.writeString(
        file,
        "<system version=\"1\">\n  <cpu numaid=\"0\" arch=\"arm64\">\n"
            + devices.replace('\'', '"')
            + "\n  </cpu>\n</system>\n");
    CliRun run = assumed(file, "gpu=a10", "search");
    assertEquals(3, run.status(), run.err());
    assertTrue(run.err().contains(expected), run.err());
    assertTrue(run.err().startsWith("topo: " + file + ":"), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
  }

  @Test
  void cpusThatAreNotDescribedAreAskedFor() throws IOException {
    Path file = folder.resolve("cpu.xml");
    Files.writeString(
        file,
        """
        <system version="1">
          <cpu numaid="0">
            <pci busid="0000:1b:00.0" class="0x030200"/>
          </cpu>
        </system>
        """);
    CliRun without = assumed(file, "gpu=a10", "search");
    assertEquals(3, without.status());
    assertTrue(without.err().contains("expected cpu=NAME"), without.err());
    CliRun run = assumed(file, "gpu=a10,cpu=amd-rome", "search");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.err().contains("; 1 x CPU amd-rome"), run.err());
    Files.writeString(file, Files.readString(file).replace("\"0\"", "\"0\" arch=\"x86_64\""));
    CliRun half = assumed(file, "gpu=a10,cpu=arm", "search");
    assertEquals(3, half.status());
    assertTrue(half.err().contains("cpu.xml:2:3: <cpu>: has no vendor"), half.err());
    assertTrue(half.err().contains("expected cpu=NAME of arch x86_64"), half.err());
    assertEquals(0, assumed(file, "gpu=a10,cpu=amd-rome", "search").status());
  }

  /** NCCL's transport puts all functions of a card on the first. */
  @Test
  void functionsOfACardAreItsPorts() throws IOException {
    Path file = folder.resolve("functions.xml");
    Files.writeString(
        file,
        """
        <system version="1">
          <cpu numaid="0" arch="arm64">
            <pci busid="0000:1b:00.0" class="0x030200"/>
            <pci busid="0000:1c:00.0" class="0x020000"/>
            <pci busid="0000:1c:00.1" class="0x020000"/>
            <pci busid="0000:1d:00.0" class="0x020000" vendor="0x1af4"/>
          </cpu>
        </system>
        """);
    CliRun run = assumed(file, "gpu=l40s,net=100000", "show");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.err().contains("2 x net mlx5_0 to mlx5_1 on 1 card of"), run.err());
    assertTrue(run.out().contains("1 GPU (sm 89), 2 ports of 12.5 GB/s"), run.out());
  }

  @Test
  void lintSeesTheCompletedMachine() throws IOException {
    Path flat = sparse("hgx-h100-vm-flat");
    CliRun run = assumed(flat, "gpu=h100,net=400000", "lint");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("[no-gpu]"), run.out());
    assertTrue(
        run.out().contains(": warning: completed as assumed, <system>: has 8 GPUs"), run.out());
    assertTrue(run.out().contains("[flat-tree]"), run.out());
    assertTrue(
        run.err()
            .contains(
                "the tree of a rank takes 36 elements, those of all ranks joined 50; NCCL has room"
                    + " for 256"),
        run.err());
  }

  /**
   * As NVIDIA/nccl#2160 has it for a host with 32 NICs: attributes that the file lacks are filled
   * in by the ranks below only, so that switches with their NICs stand in the joined tree twice.
   */
  @Test
  void lintCountsElementsThatStandTwiceWhenRanksJoin() {
    Path file = ROOT.resolve("src/test/resources/guest/32-nics.xml");
    CliRun run = assumed(file, "gpu=h100,nvswitches=4", "lint");
    assertEquals(1, run.status(), run.err());
    assertTrue(
        run.out()
            .contains("the trees of all ranks joined take 259 elements, NCCL has room for 256"),
        run.out());
    assertTrue(run.err().contains("the tree of a rank takes 127 elements"), run.err());
    CliRun whole = assumed(whole("hgx-h100-32nic"), "gpu=h100,net=100000", "lint");
    assertEquals(0, whole.status(), whole.out());
    assertTrue(whole.err().contains("those of all ranks joined 131;"), whole.err());
  }
}
