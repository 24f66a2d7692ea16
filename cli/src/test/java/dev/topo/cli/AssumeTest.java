package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import dev.topo.model.io.Inputs;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlNode;
import dev.topo.model.xml.XmlReader;
import dev.topo.model.xml.XmlWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Topology files with the PCI tree only, completed by {@code --assume}. */
class AssumeTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));

  @TempDir private Path folder;

  private Path sparse = Path.of("");

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
        CliRun.of("whatif", sparse.toString(), "remove net:mlx5_3", "--assume", devices, "-v");
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

  /** NCCL reads their class from the machine; as many below each CPU are taken for GPUs. */
  @ParameterizedTest
  @CsvSource({
    "gpu=a10, 16 17, 18 19 15, 4, 0",
    "'gpu=a10,net=100000', 16 17, 18 19 15, 4, 1",
    "'gpu=a10,net=100000,gpus=3', 16 17, 18 19 15, 3, 2",
    "'gpu=a10,net=100000', 16 17, '', 2, 0"
  })
  void devicesWithoutClassAreGpusAndCards(
      String devices, String first, String second, int gpus, int ports) throws IOException {
    StringBuilder xml = new StringBuilder("<system version=\"1\">\n");
    for (String ids : List.of(first, second)) {
      xml.append("<cpu numaid=\"%s\" arch=\"arm64\">\n".formatted(ids.equals(first) ? 0 : 1));
      for (String id : ids.isEmpty() ? new String[0] : ids.split(" ")) {
        xml.append("<pci busid=\"0000:00:%s.0\"/>\n".formatted(id));
      }
      xml.append("</cpu>\n");
    }
    Path file = folder.resolve("ids.xml");
    Files.writeString(file, xml + "</system>\n");
    CliRun run = assumed(file, devices, "show", "--format", "json");
    assertEquals(0, run.status(), run.err());
    assertEquals(gpus, run.out().split("\"id\" *: *\"GPU ", -1).length - 1, run.out());
    assertEquals(ports, run.out().split("\"id\" *: *\"NET ", -1).length - 1, run.out());
    assertTrue(
        run.err().contains("PCI devices without class as GPUs, others as network cards"),
        run.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
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
