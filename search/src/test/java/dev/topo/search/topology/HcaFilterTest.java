package dev.topo.search.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologySource.UnknownElements;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Expected by hand from {@code ncclIbInitDevices}, {@code parseStringList}, {@code matchIfList}.
 */
class HcaFilterTest {
  private static final String SEPARATE =
      """
      <net name="mlx5_0" dev="0" speed="100000" port="1" guid="0x100000" gdr="1"/>
      <net name="mlx5_0" dev="1" speed="100000" port="2" guid="0x100000" gdr="1"/>
      <net name="mlx5_1" dev="2" speed="100000" port="1" guid="0x200000" gdr="1"/>
      <net name="mlx5_10" dev="3" speed="100000" port="1" guid="0x300000" gdr="1"/>
      """;

  private static Topology machine(String nets) {
    String text =
        """
        <system version="1">
          <cpu numaid="0" affinity="f" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">
            <pci busid="0000:11:00.0" class="0x030200" link_speed="16.0 GT/s PCIe" link_width="16">
              <gpu dev="0" sm="80" rank="0" gdr="1"/>
            </pci>
            <pci busid="0000:12:00.0" class="0x020700" link_speed="16.0 GT/s PCIe" link_width="16">
              <nic>%s</nic>
            </pci>
          </cpu>
        </system>
        """
            .formatted(nets);
    return TopologySource.build(
        new XmlReader().read(text.getBytes(StandardCharsets.UTF_8), "it.xml"),
        UnknownElements.REJECTED,
        GpuSelection.ALL,
        NcclProfile.DEFAULT,
        new Diagnostics());
  }

  private static Topology seen(String nets, String... settings) {
    NcclSettings all = NcclSettings.parse(Arrays.asList(settings));
    return machine(nets).seen(all.nicMerging(), all.hcas());
  }

  private static String ports(Topology topology) {
    return topology.nets().stream()
        .map(net -> net.dev() + "=" + net.name() + ":" + net.port())
        .collect(Collectors.joining(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mlx5_0|0=mlx5_0:1 1=mlx5_0:2",
        "mlx5_0:2|0=mlx5_0:2",
        "mlx5_1|0=mlx5_1:1 1=mlx5_10:1",
        "=mlx5_1|0=mlx5_1:1",
        "=mlx5_1:1,mlx5_0:1|0=mlx5_0:1 1=mlx5_1:1",
        "^mlx5_0|0=mlx5_1:1 1=mlx5_10:1",
        "^=mlx5_1|0=mlx5_0:1 1=mlx5_0:2 2=mlx5_10:1",
        "^mlx5_0:1,mlx5_1|0=mlx5_0:2",
        "mlx5|0=mlx5_0:1 1=mlx5_0:2 2=mlx5_1:1 3=mlx5_10:1",
        "=mlx5|''",
        "^|''",
        "''|0=mlx5_0:1 1=mlx5_0:2 2=mlx5_1:1 3=mlx5_10:1",
      })
  void theListSelectsPorts(String list, String expected) {
    assertEquals(expected, ports(seen(SEPARATE, "NCCL_IB_HCA=" + list)));
  }

  @Test
  void aListOfAllPortsLeavesTheMachine() {
    Topology machine = machine(SEPARATE);
    NcclSettings all = NcclSettings.parse(List.of("NCCL_IB_HCA=mlx5"));
    assertSame(machine, machine.seen(all.nicMerging(), all.hcas()));
  }

  /** TCP and plugins do not read the list. */
  @ParameterizedTest
  @CsvSource({
    "NCCL_NET=Socket, 4",
    "NCCL_NET=AWS Libfabric, 4",
    "NCCL_IB_DISABLE=1, 4",
    "NCCL_NET=IB, 1",
    "NCCL_IB_DISABLE=0, 1"
  })
  void otherNetworksIgnoreTheList(String setting, int left) {
    assertEquals(left, seen(SEPARATE, "NCCL_IB_HCA==mlx5_1", setting).nets().size());
  }

  @ParameterizedTest
  @CsvSource({"eth0, 0", "cxi0, 1", "rdmap16s27, 1"})
  void portsOfOtherNetworksStay(String name, int gdr) {
    String nets =
        "<net name=\"%s\" dev=\"0\" speed=\"10000\" port=\"1\" guid=\"0x1\" gdr=\"%s\"/>"
            .formatted(name, gdr);
    assertEquals("0=" + name + ":1", ports(seen(nets, "NCCL_IB_HCA=mlx5_0")));
  }

  @Test
  void whatIsLeftIsMerged() {
    Topology merged =
        seen(SEPARATE, "NCCL_IB_HCA=^mlx5_10", "NCCL_IB_MERGE_NICS=1", "NCCL_NET_MERGE_LEVEL=PIX");
    assertEquals(1, merged.nets().size(), ports(merged));
    assertEquals("mlx5_0+mlx5_0+mlx5_1", merged.nets().get(0).name());
  }

  @Test
  void portsThatTheFileHasMergedAreSelectedTogether() {
    String merged =
        "<net name=\"mlx5_0+mlx5_1\" dev=\"0\" speed=\"1\" port=\"1\" guid=\"0x100000\" gdr=\"1\"/>";
    assertEquals(1, seen(merged, "NCCL_IB_HCA=mlx5").nets().size());
    assertEquals(0, seen(merged, "NCCL_IB_HCA=^mlx5").nets().size());
    UnusableTopologyException thrown =
        assertThrows(UnusableTopologyException.class, () -> seen(merged, "NCCL_IB_HCA=mlx5_1"));
    assertTrue(thrown.isWithoutRules());
  }

  /** NCCL then uses TCP; a job on one node needs no port. */
  @Test
  void aJobOfSeveralNodesNeedsAPort() {
    NcclSettings none = NcclSettings.parse(List.of("NCCL_IB_HCA=mlx4"));
    Topology machine = machine(SEPARATE);
    assertEquals(1, DomainFinder.find(machine, none, false, NcclProfile.DEFAULT).size());
    UnusableTopologyException thrown =
        assertThrows(
            UnusableTopologyException.class,
            () -> DomainFinder.find(machine, none, true, NcclProfile.DEFAULT));
    assertTrue(String.valueOf(thrown.getMessage()).startsWith("NCCL_IB_HCA=mlx4 matches none"));
  }
}
