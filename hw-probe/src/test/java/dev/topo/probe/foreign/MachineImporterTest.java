package dev.topo.probe.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.settings.SettingException;
import dev.topo.model.xml.XmlWriter;
import dev.topo.probe.assume.Assumption;
import dev.topo.probe.foreign.MachineImporter.Imported;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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

  /** More links to all peers together than a GPU has: they lead to switches. */
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
        "the model of the GPUs is not known: expected --assume gpu=MODEL, or also the output of nvidia-smi -q -x",
        assertThrows(SettingException.class, () -> imported("", PAIRS)).getMessage());
    assertTrue(
        assertThrows(SettingException.class, () -> imported("gpu=a40", PAIRS))
            .getMessage()
            .startsWith("the CPU is not known: expected --assume cpu=NAME, one of intel-"));
    assertEquals(
        "the speed of mlx5_0, mlx5_1, mlx5_2, mlx5_3, mlx5_4, mlx5_5, mlx5_6, mlx5_7 is not known (no PCI id): expected --assume net=MBIT_PER_SECOND",
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

  /** A document type is skipped: no file that it names is read. */
  @Test
  void entitiesOfADocumentTypeAreNotLoaded() {
    String hostile =
        "<!DOCTYPE topology [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><topology version='2.0'><object type='&x;'/></topology>";
    TopologyFormatException e =
        assertThrows(TopologyFormatException.class, () -> imported("gpu=h100", hostile));
    assertTrue(!String.valueOf(e.getMessage()).contains("root:"), e.getMessage());
  }

  @Test
  void cpusOfAListAreAMask() {
    assertEquals("ffffffff,00000000,ffffffff", CpuLists.mask("0-31,64-95"));
    assertEquals("00000001", CpuLists.mask("0"));
  }

  @ParameterizedTest
  @CsvSource({
    "63.015385,32.0,16",
    "31.507692,16.0,16",
    "15.753846,8.0,16",
    "4.0,2.5,16",
    "0.25,2.5,1"
  })
  void linksOfHwlocAreAProduct(double gbps, String speed, int width) {
    assertEquals(new PciLink(speed + " GT/s PCIe", width), PciLink.ofBandwidth(gbps));
  }
}
