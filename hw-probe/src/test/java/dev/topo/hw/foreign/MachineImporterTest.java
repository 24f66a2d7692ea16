package dev.topo.hw.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.hw.foreign.MachineImporter.Imported;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.SettingException;
import dev.topo.model.xml.XmlWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Topology files from the output of lstopo and nvidia-smi. */
class MachineImporterTest {
  private static final Path EXAMPLES = Path.of(System.getProperty("topo.root")).resolve("examples");

  private static final String QUERY =
      """
      <?xml version="1.0" ?>
      <!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">
      <nvidia_smi_log>
        <driver_version>570.86.15</driver_version>
        <attached_gpus>2</attached_gpus>
        <gpu id="00000000:12:00.0">
          <product_name>NVIDIA L40S</product_name>
          <pci>
            <pci_device_id>26B910DE</pci_device_id>
            <pci_bus_id>00000000:12:00.0</pci_bus_id>
            <pci_sub_system_id>185110DE</pci_sub_system_id>
            <pci_gpu_link_info>
              <pcie_gen><max_link_gen>4</max_link_gen><current_link_gen>1</current_link_gen></pcie_gen>
              <link_widths><max_link_width>16x</max_link_width><current_link_width>16x</current_link_width></link_widths>
            </pci_gpu_link_info>
          </pci>
        </gpu>
        <gpu id="00000000:A2:00.0">
          <product_name>NVIDIA L40S</product_name>
          <pci>
            <pci_device_id>26B910DE</pci_device_id>
            <pci_bus_id>00000000:A2:00.0</pci_bus_id>
            <pci_sub_system_id>185110DE</pci_sub_system_id>
          </pci>
        </gpu>
      </nvidia_smi_log>
      """;

  private static final String PAIRS =
      """
      \t\u001b[4mGPU0\tGPU1\tGPU2\tGPU3\tCPU Affinity\tNUMA Affinity\u001b[0m
      GPU0\t X \tNV4\tSYS\tSYS\t0-15\t0
      GPU1\tNV4\t X \tSYS\tSYS\t0-15\t0
      GPU2\tSYS\tSYS\t X \tNV4\t16-31\t1
      GPU3\tSYS\tSYS\tNV4\t X \t16-31\t1
      """;

  private static Imported imported(String assumption, Object... files) {
    MachineImporter importer = new MachineImporter(assumption);
    for (int i = 0; i < files.length; i++) {
      try {
        importer.add(
            files[i] instanceof Path path
                ? Files.readAllBytes(path)
                : String.valueOf(files[i]).getBytes(StandardCharsets.UTF_8),
            "file" + i);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return importer.machine();
  }

  private static String xml(Imported imported) {
    return XmlWriter.write(imported.document());
  }

  /** Ports of switches and of the root complex are left out, as NCCL does. */
  @Test
  void lstopoHasTheTreeThePortsAndTheCpus() {
    String xml = xml(imported("", EXAMPLES.resolve("two-h100-lstopo.xml")));
    assertTrue(xml.contains("<pci busid=\"0000:10:00.0\" class=\"0x060400\""), xml);
    assertTrue(!xml.contains("0000:0f:01.0") && !xml.contains("0000:11:00.0"), xml);
    assertTrue(xml.contains("<net name=\"mlx5_1\" dev=\"1\" latency=\"0\" speed=\"400000\""), xml);
    assertTrue(xml.contains("<cpu numaid=\"1\" affinity=\"0000ff00\""), xml);
  }

  @Test
  void whatIsAssumedIsSaid() {
    Imported imported = imported("", EXAMPLES.resolve("two-h100-lstopo.xml"));
    assertEquals(
        "PCI links at the speed that they had when lstopo ran|"
            + "ports with GDR, maxconn 131072 and a card each, of 400000 Mbit/s (ConnectX-7 at its fastest)|"
            + "2 x H100 (sm 90, 18 NVLinks each to NVSwitches, GPUDirect RDMA) in the order of bus ids",
        String.join("|", imported.assumed()));
  }

  @Test
  void theMatrixHasNvlinksBetweenPairs() {
    String xml = xml(imported("gpu=a40,cpu=amd-milan", PAIRS));
    assertTrue(
        xml.contains("<nvlink target=\"fffe:02:00.0\" count=\"4\" tclass=\"0x030200\"/>"), xml);
    assertTrue(xml.contains("<cpu numaid=\"1\" affinity=\"ffff0000\" arch=\"x86_64\""), xml);
    assertTrue(!xml.contains("0x060400"), xml);
  }

  /** Tabs, blanks and a table of Markdown are one. */
  @Test
  void theMatrixIsTheSameHoweverItsCellsAreSeparated() {
    String expected = xml(imported("gpu=a40,cpu=amd-milan", PAIRS));
    String plain = PAIRS.replaceAll("\u001b\\[[0-9;]*m", "");
    for (String other :
        List.of(
            plain.replace("\t", "   "),
            plain.replaceAll("\\s*\t\\s*", " | ").replaceFirst("\n", "\n-- | :--: | --\n"),
            plain.replaceAll("(?m)^|\t|$", "|").replace("CPU Affinity", "  CPU Affinity "))) {
      assertEquals(expected, xml(imported("gpu=a40,cpu=amd-milan", other)), other);
    }
  }

  /**
   * Devices with the same CPUs are at one NUMA node where no column has it; of a list of nodes the
   * first counts.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 1 | G0 G1 G2 CPU Affinity;G0 X NV4 SYS 0-7;G1 NV4 X SYS 0-7;G2 SYS SYS X 8-15",
        "0 | G0 G1 CPU Affinity;G0 X SYS 0-7,16-23;G1 SYS X 0-7,16-23",
        "0 1 | G0 G1 CPU Affinity NUMA Affinity;G0 X SYS 0-7 N/A;G1 SYS X 8-15 N/A",
        "0 3 | G0 G1 G2 CPU Affinity NUMA Affinity;G0 X SYS SYS 0-7 3;G1 SYS X SYS 0-7 N/A;G2 SYS SYS X 8-15 N/A",
        "0 2 | G0 G1 NUMA Affinity;G0 X SYS 0-1;G1 SYS X 2",
        "0 1 | G0 G1 N0 CPU Affinity;G0 X NODE SYS 0-7;G1 NODE X SYS 0-7;N0 SYS SYS X",
        "0 | G0 G1 N0 CPU Affinity;G0 X SOC SOC 0-7;G1 SOC X SOC 0-7;N0 SOC SOC X",
        "0 1 2 | G0 G1 N0 CPU Affinity;G0 X SYS SYS 0-7;G1 SYS X SYS 8-15;N0 SYS SYS X",
        "0 1 | G0 G1;G0 X SYS;G1 SYS X"
      })
  void theCpusOfTheMatrixAreItsNumaNodes(String nodes, String rows) {
    String table = rows.replaceAll("G([0-9])", "GPU$1").replace("N0", "NIC0").replace(';', '\n');
    String net = table.contains("NIC0") ? ",net=100000" : "";
    String xml = xml(imported("gpu=a40,cpu=amd-milan,nvlink=none" + net, table));
    assertEquals(
        nodes,
        Pattern.compile("<cpu numaid=\"(-?\\d+)\"")
            .matcher(xml)
            .results()
            .map(cpu -> cpu.group(1))
            .sorted()
            .collect(Collectors.joining(" ")),
        xml);
  }

  private static final String THREE =
      "  GPU0 GPU1 GPU2\nGPU0 X PIX PIX\nGPU1 PIX X PIX\nGPU2 PIX PIX X\n";

  /** By the model, or by the table of {@code nvidia-smi topo -p2p r}. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gpu=rtx4090 | '' | 000 000 000",
        "gpu=rtx5090 | '' | 000 000 000",
        "gpu=a40 | '' | 111 111 111",
        "gpu=h100,nvlink=none | '' | ''",
        "gpu=rtx4090 | OK OK OK OK OK OK | 111 111 111",
        "gpu=h100,nvlink=none | OK CNS OK OK CNS OK | 110 011",
        "gpu=a40 | GNS GNS GNS DR U TNS | 100 010 001"
      })
  void whichGpusHaveP2pIsKnown(String assumption, String answers, String expected) {
    Object[] files = {THREE};
    if (!answers.isEmpty()) {
      String[] cells = answers.split(" ");
      files =
          new Object[] {
            THREE,
            " \tGPU0\tGPU1\tGPU2\t\n GPU0\tX\t%s\t%s\t\n GPU1\t%s\tX\t%s\t\n GPU2\t%s\t%s\tX\t\n\nLegend:\n\n  X    = Self\n"
                .formatted((Object[]) cells)
          };
    }
    String xml = xml(imported(assumption + ",cpu=amd-milan", files));
    assertEquals(
        expected,
        Pattern.compile("p2p=\"([01]*)\"")
            .matcher(xml)
            .results()
            .map(found -> found.group(1))
            .collect(Collectors.joining(" ")),
        xml);
  }

  @Test
  void theAnswersAboutP2pAreNoMachine() {
    assertRefused(
        "file0: shows P2P only, expected lstopo's XML",
        "P2P",
        "gpu=a40",
        "GPU0 GPU1\nGPU0 X OK\nGPU1 OK X\n");
  }

  /** More links to all peers together than a GPU has: they lead to switches. */
  /** The generation of PCIe that a GPU's data sheet states, where no tool says it. */
  @ParameterizedTest
  @CsvSource({
    "v100, 8.0",
    "t4, 8.0",
    "a100, 16.0",
    "a10, 16.0",
    "l40s, 16.0",
    "h100, 32.0",
    "h200, 32.0",
    "b200, 32.0"
  })
  void aGpuHasTheLinkOfItsGeneration(String gpu, String speed) {
    String xml =
        xml(
            imported(
                "gpu=%s,cpu=amd-genoa,nvlink=none".formatted(gpu), PAIRS.replace("NV4", "SYS")));
    List<String> links =
        Pattern.compile("class=\"0x03\\w+\".*? link_speed=\"(\\S+) GT/s")
            .matcher(xml)
            .results()
            .map(link -> link.group(1))
            .toList();
    assertEquals(List.of(speed, speed, speed, speed), links, xml);
  }

  @Test
  void theMatrixOfAllToAllIsThatOfNvswitches() {
    String xml =
        xml(
            imported(
                "gpu=h100,cpu=intel-sapphire-rapids,net=400000",
                EXAMPLES.resolve("dgx-h100-topo.txt")));
    assertEquals(8, xml.split("target=\"ffffffff:ffff:ff\" count=\"18\"", -1).length - 1);
    assertEquals(8, xml.split("class=\"0x060400\"", -1).length - 1);
  }

  @Test
  void theQueryHasModelIdsAndTheHighestLink() {
    String xml = xml(imported("cpu=amd-genoa", QUERY));
    assertTrue(
        xml.contains(
            "<pci busid=\"0000:12:00.0\" class=\"0x030200\" vendor=\"0x10de\" device=\"0x26b9\" subsystem_vendor=\"0x10de\" subsystem_device=\"0x1851\" link_speed=\"16.0 GT/s PCIe\" link_width=\"16\">"),
        xml);
    assertTrue(xml.contains("sm=\"89\"") && !xml.contains("nvlink"), xml);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "NVIDIA A100-SXM4-80GB | a100",
        "NVIDIA A10 | a10",
        "NVIDIA H100 80GB HBM3 | h100",
        "NVIDIA GeForce RTX 3090 | rtx3090",
        "NVIDIA RTX A6000 | a6000",
        "NVIDIA GB200 | gb200",
        "NVIDIA L40S | l40s",
        "Tesla V100-SXM3-32GB-H | v100",
        "NVIDIA A1000 | ''"
      })
  void productsAreKnownByName(String product, String model) {
    assertEquals(model, Assumption.modelOf(product).orElse(""));
  }

  @Test
  void whatIsNotKnownIsAskedFor() {
    assertEquals(
        "the model of the GPUs and the CPU are not known: expected assumption gpu=a40,cpu=amd-milan, with the values of this machine where these likely ones are not; the output of nvidia-smi -q -x has the GPUs, lstopo's XML CPU and ports",
        assertThrows(SettingException.class, () -> imported("", PAIRS)).getMessage());
    assertEquals(
        "the model of the GPUs is not known: expected assumption gpu=MODEL, or also the output of nvidia-smi -q -x",
        assertThrows(SettingException.class, () -> imported("cpu=amd-rome", PAIRS)).getMessage());
    assertTrue(
        assertThrows(SettingException.class, () -> imported("gpu=a40", PAIRS))
            .getMessage()
            .startsWith("the CPU is not known: expected assumption cpu=NAME, one of intel-"));
    assertEquals(
        "the speed of mlx5_0, mlx5_1, mlx5_2, mlx5_3, mlx5_4, mlx5_5, mlx5_6, mlx5_7 is not known (no PCI id): expected assumption net=MBIT_PER_SECOND",
        assertThrows(
                SettingException.class,
                () -> imported("gpu=h100,cpu=amd-genoa", EXAMPLES.resolve("dgx-h100-topo.txt")))
            .getMessage());
  }

  @Test
  void filesOfDifferentMachinesAreRefused() {
    assertEquals(
        "nvidia-smi -q -x shows 2 GPUs and nvidia-smi topo -m 4: expected files of one machine",
        assertThrows(SettingException.class, () -> imported("cpu=amd-genoa", QUERY, PAIRS))
            .getMessage());
    assertEquals(
        "lstopo shows 2 GPUs and nvidia-smi topo -m 4: expected files of one machine",
        assertThrows(
                SettingException.class,
                () -> imported("", EXAMPLES.resolve("two-h100-lstopo.xml"), PAIRS))
            .getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<system version='1'/> | file0: is a topology file of NCCL already, expected lstopo's",
        "hello | file0: is the output of no known tool, expected lstopo's XML, nvidia-smi",
        "<topology><object | file0:1:",
        "<topology version='2.0'/> | file0: has no GPU of NVIDIA, expected a PCIDev",
        "<nvidia_smi_log/> | file0: has no <gpu>, expected",
        "<nvidia_smi_log><gpu/></nvidia_smi_log> | file0: <pci_bus_id>: '', expected one as"
      })
  void badInputHasItsPlace(String content, String message) {
    assertTrue(
        String.valueOf(
                assertThrows(TopologyFormatException.class, () -> imported("gpu=h100", content))
                    .getMessage())
            .startsWith(message));
  }

  @Test
  void aRowOfTheMatrixThatDoesNotFitIsNamed() {
    assertEquals(
        "file0:3:1: row GPU1, column GPU2: '', expected X, NV#, PIX, PXB, PHB, NODE or SYS",
        assertThrows(
                TopologyFormatException.class,
                () -> imported("gpu=a40", "  GPU0 GPU1 GPU2\nGPU0 X SYS SYS\nGPU1 SYS X\n"))
            .getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "G0 X SYS;G1 SYS X | file0:2:1: row GPU0, column GPU1: 'NV0', expected X, NV#, PIX, | G0 X NV0;G1 NV0 X",
        "moved | file0:2:1: row GPU0, column GPU0: 'SYS', expected X | G0 SYS X;G1 X SYS",
        "X twice | file0:2:1: row GPU0, column GPU1: 'X', expected X in column GPU0 only | G0 X X;G1 SYS X",
        "one direction | file0:3:1: row GPU1, column GPU0: 'SYS', expected NV4 as in row GPU0, column GPU1 | G0 X NV4;G1 SYS X",
        "row twice | file0:4:1: row GPU1, expected no more rows: one row for each column | G0 X NV4;G1 NV4 X;G1 NV4 X",
        "other order | file0:2:1: row GPU1, expected GPU0: one row for each column, in their order | G1 NV4 X;G0 X NV4",
        "more rows | file0:4:1: row GPU2, expected no more rows | G0 X NV4;G1 NV4 X;G2 SYS SYS",
        "more cells | file0:2:1: row GPU0: SYS behind the last column, expected 2 cells | G0 X NV4 SYS;G1 NV4 X SYS",
        "more links | file0:2:1: row GPU0, column GPU1: 'NV9', expected at most NV4, the NVLinks of a A40 | G0 X NV9;G1 NV9 X",
        "no list | file0:2:1: '9-3': expected a list as 0-31,64-95 of numbers below 8192 | G0 X NV4 9-3 0;G1 NV4 X",
        "long list | file0:2:1: '0-9999': expected a list as 0-31,64-95 | G0 X NV4 0-9999 0;G1 NV4 X"
      })
  void aMatrixWithLostOrMovedCellsIsRefused(String what, String message, String rows) {
    String matrix = "  GPU0 GPU1\n" + rows.replaceAll("G([0-9]) ", "GPU$1 ").replace(';', '\n');
    assertRefused(message, what, "gpu=a40,cpu=amd-milan", matrix);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GPU0 GPU1 GPU1 | column 3 is GPU1, expected GPU0, GPU1 and so on, then the network cards, each once",
        "GPU0 GPU2 | column 2 is GPU2, expected GPU0, GPU1",
        "GPU0 NIC0 GPU1 | column 3 is GPU1, expected GPU0, GPU1",
        "GPU0 NIC0 NIC0 | column 3 is NIC0, expected GPU0, GPU1"
      })
  void aColumnTwiceOrOutOfOrderIsRefused(String heading, String message) {
    assertRefused("file0:1:1: " + message, heading, "gpu=a40,cpu=amd-milan", heading + "\n");
  }

  @Test
  void aNetworkCardOfTheMatrixHasItsOwnDevice() {
    String matrix = "GPU0 NIC0 NIC1\nGPU0 X PXB SYS\nNIC0 PXB X SYS\nNIC1 SYS SYS X\n";
    String message =
        ", expected each network card of the table once, with a device of its own as mlx5_0";
    for (String legend : List.of("NIC1: mlx5_0", "NIC0: mlx5_1", "NIC2: mlx5_2", "NIC1: a<b")) {
      assertRefused(
          "file0:6:1: " + legend + message,
          legend,
          "gpu=a40,cpu=amd-milan,net=200000",
          matrix + "NIC0: mlx5_0\n" + legend + "\n");
    }
    assertRefused(
        "file0:2:1: row GPU0, column NIC0: 'NV4', expected PIX, PXB, PHB, NODE or SYS at a network card",
        "NVLink of a card",
        "gpu=a40,cpu=amd-milan",
        "GPU0 NIC0\nGPU0 X NV4\nNIC0 NV4 X\n");
  }

  /** Some GPUs with more links than they have, beside others with direct links: no wiring. */
  @Test
  void linksToSwitchesLeadToEveryGpu() {
    assertRefused(
        "file0:3:1: row GPU1, column GPU2: 'SYS', expected NV# to every GPU with NVLinks, as with NVSwitches: row GPU0 has 20 NVLinks and a H100 18",
        "V",
        "gpu=h100,cpu=amd-genoa",
        "GPU0 GPU1 GPU2\nGPU0 X NV10 NV10\nGPU1 NV10 X SYS\nGPU2 NV10 SYS X\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "00000000:A2:00.0 | 00000000:12:00.0 | 22:: <pci_bus_id> 0000:12:00.0: is also in line 10, expected each once",
        "<max_link_gen>4 | <max_link_gen>NaN | 13:: <max_link_gen>: 'NaN', expected a PCIe generation from 1 to 6, or N/A",
        "<max_link_gen>4 | <max_link_gen>40 | 13:: <max_link_gen>: '40', expected a PCIe generation",
        "<max_link_width>16x | <max_link_width>77x | 14:: <max_link_width>: '77x', expected a number of lanes as 16x, or N/A",
        "<max_link_width>16x | <max_link_width>0x | 14:: <max_link_width>: '0x', expected"
      })
  void aGpuTwiceOrALinkThatIsNoneIsRefused(String text, String other, String message) {
    assertRefusedInLine(message, "cpu=amd-genoa", QUERY.replace(text, other));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0000:11:01.0 | 0000:11:00.0 | 21:: PCI device 0000:11:00.0: is also in line 14, expected each once",
        "0000:11:00.0 | 0000:0f:01.0 | 14:: PCI device 0000:0f:01.0: is also in line 12, expected each once",
        "0000:a2:00.0 | 0000:12:00.0 | 40:: PCI device 0000:12:00.0: is also in line 15, expected each once",
        "63.015385 | NaN | 12:: pci_link_speed=\"NaN\", expected GB/s, from 0 (not known) to 256 (32 lanes of 64 GT/s)",
        "63.015385 | -1 | 12:: pci_link_speed=\"-1\", expected GB/s",
        "63.015385 | 99999 | 12:: pci_link_speed=\"99999\", expected GB/s",
        "63.015385 | 1e400 | 12:: pci_link_speed=\"1e400\", expected GB/s",
        "mlx5_1 | mlx5_0 | 44:: InfiniBand device mlx5_0: is also in line 24, expected each once",
        "mlx5_1 | mlx5 1 | 44:: OSDev name=\"mlx5 1\", expected an InfiniBand device as mlx5_0",
        "nodeset=\"0x00000002\" gp_index=\"20\" | nodeset=\"two\" | 31:: 'two': expected a set as 0x0000ffff, or several words",
        "NUMANode\" os_index=\"1 | NUMANode\" os_index=\"0 | 35:: NUMANode 0: is also in line 10, expected each once",
        "NUMANode\" os_index=\"1 | NUMANode\" os_index=\"-1 | 35:: NUMANode os_index=\"-1\", expected a number"
      })
  void anObjectOfLstopoTwiceOrAValueThatIsNoneIsRefused(String text, String other, String message)
      throws IOException {
    String lstopo = Files.readString(EXAMPLES.resolve("two-h100-lstopo.xml"));
    assertTrue(lstopo.contains(text), text);
    assertRefusedInLine(message, "", lstopo.replace(text, other));
  }

  @Test
  void filesOfOneToolOrOfOtherMachinesAreRefused() {
    assertRefused(
        "file1: is the second file of nvidia-smi -q -x, expected one of each tool, of one machine",
        "twice",
        "cpu=amd-genoa",
        QUERY,
        QUERY);
    TopologyFormatException e =
        assertThrows(
            TopologyFormatException.class,
            () ->
                imported(
                    "",
                    EXAMPLES.resolve("two-h100-lstopo.xml"),
                    QUERY.replace("L40S", "H100").replace("00000000:A2:00.0", "00000000:A4:00.0")));
    assertTrue(
        String.valueOf(e.getMessage())
            .contains("lstopo shows no GPU 0000:a4:00.0, expected files of one machine"),
        e.getMessage());
  }

  /** What lstopo writes of other devices, such as AMD's. */
  @Test
  void aSpeedThatIsNoneOfPciIsNotKnownAndSaid() throws IOException {
    String lstopo = Files.readString(EXAMPLES.resolve("two-h100-lstopo.xml"));
    Imported imported =
        imported(
            "",
            lstopo.replaceFirst(
                "63.015385\">\n *<object type=\"OSDev", "17.3\"><object type=\"OSDev"));
    assertTrue(
        imported
            .assumed()
            .contains(
                "links of 1 PCI devices as not known, their pci_link_speed is none of PCI Express"),
        imported.assumed().toString());
  }

  @ParameterizedTest
  @CsvSource({
    "'\ufeff'",
    "'<!-- - --><?pi > ?><!DOCTYPE topology [<!ENTITY a \"b\">]><!-- < -->'",
    "'<!----><!----><!---->'"
  })
  void aDocumentMayBeginWithMarksAndComments(String beginning) throws IOException {
    String lstopo = Files.readString(EXAMPLES.resolve("two-h100-lstopo.xml"));
    String body = lstopo.substring(lstopo.indexOf("<topology"));
    assertEquals(
        xml(imported("", EXAMPLES.resolve("two-h100-lstopo.xml"))),
        xml(imported("", beginning + body.replace("\n", "\r\n"))));
  }

  @ParameterizedTest
  @CsvSource({"<topology/>", "end", "<a></a>", "{}"})
  void nothingFollowsADocument(String tail) throws IOException {
    String lstopo = Files.readString(EXAMPLES.resolve("two-h100-lstopo.xml"));
    assertTrue(
        String.valueOf(
                assertThrows(TopologyFormatException.class, () -> imported("", lstopo + tail))
                    .getMessage())
            .startsWith("file0:"));
  }

  private static void assertRefused(
      String message, String what, String assumption, Object... files) {
    String found =
        assertThrows(TopologyFormatException.class, () -> imported(assumption, files), what)
            .getMessage();
    assertTrue(String.valueOf(found).startsWith(message), what + ": " + found);
  }

  /** The message begins with the line, then a column and the text. */
  private static void assertRefusedInLine(String message, String assumption, String file) {
    String found =
        String.valueOf(
            assertThrows(TopologyFormatException.class, () -> imported(assumption, file))
                .getMessage());
    String[] parts = message.split("::", 2);
    assertTrue(found.startsWith("file0:" + parts[0] + ":"), found);
    assertTrue(found.contains(parts[1]), found);
  }

  /** A document type is skipped: no file that it names is read, and no entity of it grows. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "topology | <object type='&x;'/>",
        "topology | <object type='PCIDev' pci_busid='&x;'/>",
        "nvidia_smi_log | <gpu><pci><pci_bus_id>&x;</pci_bus_id></pci></gpu>",
        "nvidia_smi_log | <gpu><product_name>&y;&y;&y;</product_name></gpu>"
      })
  void entitiesOfADocumentTypeAreNotLoaded(String root, String content) {
    String hostile =
        "<!DOCTYPE %1$s [<!ENTITY x SYSTEM \"file:///etc/passwd\"><!ENTITY y \"root:&x;&x;\">]><%1$s>%2$s</%1$s>"
            .formatted(root, content);
    TopologyFormatException e =
        assertThrows(TopologyFormatException.class, () -> imported("gpu=h100", hostile));
    assertTrue(!String.valueOf(e.getMessage()).contains("root:"), e.getMessage());
  }

  @Test
  void cpusOfAListAreAMask() {
    SourceLocation at = SourceLocation.of("file");
    assertEquals("ffffffff,00000000,ffffffff", CpuLists.mask("0-31,64-95", at));
    assertEquals("00000001", CpuLists.mask("0", at));
  }

  @ParameterizedTest
  @CsvSource({
    "63.015385,32.0,16",
    "31.507692,16.0,16",
    "15.753846,8.0,16",
    "4.0,2.5,16",
    "0.25,2.5,1",
    "121.0,64.0,16",
    "126.030769,64.0,16"
  })
  void linksOfHwlocAreAProduct(double gbps, String speed, int width) {
    assertEquals(new PciLink(speed + " GT/s PCIe", width), PciLink.ofBandwidth(gbps));
  }
}
