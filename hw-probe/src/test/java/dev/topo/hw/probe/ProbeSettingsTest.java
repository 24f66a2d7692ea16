package dev.topo.hw.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.hw.fixture.MachineText;
import dev.topo.hw.nvml.NvmlScope;
import dev.topo.hw.nvml.NvmlText;
import dev.topo.model.io.Diagnostic;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.topology.TopologyReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What NCCL's settings and CUDA_VISIBLE_DEVICES change. */
class ProbeSettingsTest {
  @TempDir static Path machines;

  @TempDir Path temp;

  /** A machine that the test does not change, made once. */
  private static MachineProbe probe(String machine) {
    Path folder = machines.resolve(machine);
    return MachineProbe.ofCapture(
        Files.isDirectory(folder) ? folder : MachineText.expand(machine, folder), new Inputs());
  }

  private static ProbeOptions options(String... assignments) {
    return ProbeOptions.DEFAULTS.withSettings(NcclSettings.parse(List.of(assignments)));
  }

  private static Stream<XmlElement> all(XmlElement element, String tag) {
    return Stream.concat(
        Stream.of(element).filter(e -> e.name().equals(tag)),
        element.elements().stream().flatMap(child -> all(child, tag)));
  }

  private static String names(ProbeResult result) {
    return String.join(
        " ",
        all(result.system(), "net")
            .sorted(
                (a, b) ->
                    Integer.compare(
                        Integer.parseInt(a.attribute("dev").orElseThrow()),
                        Integer.parseInt(b.attribute("dev").orElseThrow())))
            .map(net -> net.attribute("name").orElseThrow())
            .toList());
  }

  private static List<String> codes(ProbeResult result) {
    return result.diagnostics().stream().map(Diagnostic::code).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "roce-dual-port, NCCL_IB_HCA=mlx5_1, mlx5_1",
    "roce-dual-port, NCCL_IB_HCA=^mlx5_1, mlx5_0 mlx5_2 mlx5_3",
    "roce-dual-port, 'NCCL_IB_HCA==mlx5_0:1,mlx5_2:1', mlx5_0 mlx5_2",
    "roce-dual-port, NCCL_IB_HCA=mlx5_0:2, ens1f0np0 ens1f1np1 ens2f1np1 ens2f0np0",
    "roce-dual-port, NCCL_IB_DISABLE=1, ens1f0np0 ens1f1np1 ens2f1np1 ens2f0np0",
    "roce-dual-port, NCCL_NET=socket, ens1f0np0 ens1f1np1 ens2f1np1 ens2f0np0",
    "roce-dual-port, NCCL_NET=ib, mlx5_0 mlx5_1 mlx5_2 mlx5_3",
    "cloud-vm, NCCL_IB_DISABLE=1, ib0 ib1",
    "desktop, NCCL_SOCKET_IFNAME=lo, lo",
    "desktop, 'NCCL_SOCKET_IFNAME==enp4s', ''",
    "desktop, 'NCCL_SOCKET_IFNAME=^enp,wl,lo', docker0 enx00e04c680123",
    "desktop, NCCL_SOCKET_FAMILY=AF_INET6, enp4s0 wlp5s0 enx00e04c680123",
    "desktop, NCCL_NET=IB, ''",
  })
  void networkFollowsTheSettings(String machine, String setting, String expected) {
    ProbeResult result = probe(machine).run(options(setting.split(";", -1)));
    assertEquals(expected, names(result));
    assertEquals(expected.isEmpty(), codes(result).contains("no-network"));
  }

  @ParameterizedTest
  @CsvSource({
    "NCCL_NET_MERGE_LEVEL=PORT, mlx5_0+mlx5_1 mlx5_2+mlx5_3",
    "NCCL_NET_MERGE_LEVEL=LOC, mlx5_0 mlx5_1 mlx5_2 mlx5_3",
    "NCCL_IB_MERGE_NICS=0, mlx5_0 mlx5_1 mlx5_2 mlx5_3",
    "NCCL_NET_MERGE_LEVEL=SYS, mlx5_0+mlx5_1+mlx5_2+mlx5_3",
    "'NCCL_NET_FORCE_MERGE=mlx5_0,mlx5_2', mlx5_1 mlx5_3 mlx5_0+mlx5_2",
    "NCCL_IB_HCA=mlx5_0, mlx5_0",
  })
  void nicsMergeAsTheSettingsSay(String setting, String expected) {
    ProbeResult result = probe("roce-dual-port").run(options(setting).withNics(NicView.MERGED));
    assertEquals(expected, names(result));
  }

  @Test
  void mergingAcrossACpuMakesUpACardWithAllLanes() {
    ProbeResult result =
        probe("roce-dual-port").run(options("NCCL_NET_MERGE_LEVEL=PHB").withNics(NicView.MERGED));
    XmlElement card =
        all(result.system(), "pci")
            .filter(pci -> pci.elements("nic").size() == 1)
            .findFirst()
            .orElseThrow();
    assertEquals("0000:81:00.1", card.attribute("busid").orElseThrow());
    assertEquals("32", card.attribute("link_width").orElseThrow());
    assertEquals(
        "400000",
        card.elements("nic").get(0).elements("net").get(0).attribute("speed").orElseThrow());
  }

  @Test
  void withoutMergingVirtualFunctionsPortsStayCards() {
    ProbeResult result = probe("roce-dual-port").run(options("NCCL_IB_MERGE_VFS=0"));
    assertEquals(
        List.of("1", "2", "1", "2"),
        all(result.system(), "net").map(net -> net.attribute("port").orElseThrow()).toList());
  }

  @ParameterizedTest
  @CsvSource({
    "'0,1,2,3', 0 1 2 3, false",
    "'2,0', 2 0, false",
    "'1,9,2', 1, true",
    "'3,3', 3, true",
    "-1, '', true",
    "'', '', false",
    "GPU-bbbbbbbb-0000-0000-0000-000000000004, 3, false",
    "GPU-aaaaaaaa, '', true",
    "'GPU-bbbbbbbb-0000-0000-0000-000000000003,0', 2 0, false",
  })
  void ranksFollowTheVisibleDevices(String variable, String devs, boolean warns) {
    ProbeResult result =
        probe("bare-metal-switched").run(ProbeOptions.DEFAULTS.withVisibleDevices(variable));
    String actual =
        String.join(
            " ",
            all(result.system(), "gpu")
                .sorted(
                    (a, b) ->
                        a.attribute("rank")
                            .orElseThrow()
                            .compareTo(b.attribute("rank").orElseThrow()))
                .map(gpu -> gpu.attribute("dev").orElseThrow())
                .toList());
    assertEquals(devs, actual);
    assertEquals(warns, codes(result).contains("invisible-gpu"));
  }

  @Test
  void withoutDriverGpusAreSeenByPciClass() {
    MachineProbe full = probe("bare-metal-switched");
    MachineProbe probe =
        new MachineProbe(full.sysfs(), NvmlScope.absent("no libnvidia-ml.so.1"), full.addresses());
    ProbeResult result = probe.run(ProbeOptions.DEFAULTS);
    assertEquals(
        List.of("90", "90", "90", "90"),
        all(result.system(), "gpu").map(gpu -> gpu.attribute("sm").orElseThrow()).toList());
    assertEquals(0, all(result.system(), "nvlink").count());
    assertTrue(codes(result).contains("gpu-without-driver"));
  }

  @Test
  void withoutGpuCpusAndNetworkAreShown() {
    ProbeResult result =
        probe("bare-metal-switched").run(ProbeOptions.DEFAULTS.withVisibleDevices(""));
    assertEquals(2, all(result.system(), "cpu").count());
    assertEquals("mlx5_1 mlx5_2 mlx5_9 mlx5_10", names(result));
  }

  @Test
  void emptyMachineIsNoError() {
    ProbeResult result = MachineProbe.ofCapture(temp, new Inputs()).run(ProbeOptions.DEFAULTS);
    assertEquals(List.of(), result.system().children());
    assertEquals(List.of("no-gpu"), codes(result).stream().filter(c -> c.contains("gpu")).toList());
    assertTrue(codes(result).contains("no-network"));
  }

  @Test
  void closedInfinibandDeviceFallsBackToSockets() throws IOException {
    MachineText.expand("grace-hopper", temp);
    Files.delete(temp.resolve("dev/infiniband/uverbs0"));
    ProbeResult result = MachineProbe.ofCapture(temp, new Inputs()).run(ProbeOptions.DEFAULTS);
    assertEquals("enP2p1s0f0", names(result));
    assertTrue(codes(result).contains("closed-infiniband-device"));
  }

  /**
   * The first CPU is another one for each rank, so that NCCL 2.28.9 ends with one device in two
   * places.
   */
  @Test
  void cardWithoutPciIsOnTheFirstCpuOfEachRank() {
    ProbeResult result =
        probe("cloud-vm").run(options("NCCL_SOCKET_IFNAME=eth", "NCCL_NET=Socket"));
    List<XmlElement> cpus = result.system().elements("cpu");
    assertEquals(2, cpus.size());
    for (XmlElement cpu : cpus) {
      XmlElement net = cpu.elements("nic").get(0).elements("net").get(0);
      assertEquals("eth0", net.attribute("name").orElseThrow());
      assertEquals("0", net.attribute("dev").orElseThrow());
    }
    new TopologyReader()
        .map(
            new XmlDocument(List.of(), result.system(), List.of()),
            GpuSelection.ALL,
            new Diagnostics());
  }

  /** InfiniBand's interfaces come first, then the one where ranks meet, then the others. */
  @ParameterizedTest
  @CsvSource({
    "desktop, lo, lo",
    "desktop, wlp5s0, wlp5s0",
    "desktop, gone0, enp4s0 wlp5s0 enx00e04c680123"
  })
  void theInterfaceWhereRanksMeetComesBeforeOthers(
      String machine, String meeting, String expected) {
    ProbeResult result = probe(machine).run(options().withMeetingInterface(meeting));
    assertEquals(expected, names(result));
    assertEquals(
        "ib0 ib1",
        names(probe("cloud-vm").run(options("NCCL_IB_DISABLE=1").withMeetingInterface("eth0"))));
  }

  @Test
  void migIsNoted() {
    MachineProbe full = probe("desktop");
    String text = "gpu 0 bus=00000000:01:00.0 sm=89 mig=1";
    MachineProbe probe =
        new MachineProbe(full.sysfs(), NvmlScope.recorded(NvmlText.parse(text)), full.addresses());
    assertTrue(codes(probe.run(ProbeOptions.DEFAULTS)).contains("mig"));
  }

  @Test
  void topologyFileComesFirstAndKeepsItsValues() {
    String file =
        """
        <system version="1">
          <cpu host_hash="0x5" numaid="0" affinity="1" arch="x86_64">
            <pci busid="0000:01:00.0" class="0x030200" link_speed="2.5 GT/s PCIe" link_width="1">
              <gpu dev="0" sm="80"/>
            </pci>
            <pci busid="0000:ee:00.0" class="0x060400" link_speed="" link_width="1"/>
          </cpu>
        </system>
        """;
    XmlElement root =
        new XmlReader().read(file.getBytes(StandardCharsets.UTF_8), "file.xml").root();
    XmlElement system = probe("desktop").run(ProbeOptions.DEFAULTS.withTopologyFile(root)).system();
    XmlElement cpu = system.elements("cpu").get(0);
    assertEquals("1", cpu.attribute("affinity").orElseThrow());
    assertEquals(false, cpu.attribute("host_hash").isPresent());
    XmlElement pci = cpu.elements("pci").get(0);
    assertEquals("2.5 GT/s PCIe", pci.attribute("link_speed").orElseThrow());
    assertEquals("80", pci.elements("gpu").get(0).attribute("sm").orElseThrow());
    assertEquals(
        0,
        all(system, "pci")
            .filter(p -> p.attribute("busid").orElseThrow().equals("0000:ee:00.0"))
            .count());
  }
}
