package dev.topo.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeId;
import java.util.OptionalInt;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NetNodeTest {
  /** Names with the GUID, GPUDirect and connections that NCCL's files or people's files state. */
  @ParameterizedTest
  @CsvSource({
    "eth0, 0, false, 65536, true",
    "lo, 0, false, 65536, true",
    "oob_net, 1, false, 65536, true",
    "hsn0, 2, false, 65536, true",
    "ib0, 0, false, 65536, true",
    "eth0, 0, false, 0, true",
    "eth1, 0, true, 65536, false",
    "ib0, 0, true, 0, false",
    "ibp24s0, 7146351348931330, true, 131072, false",
    "mlx5_0, 7146351348931330, true, 131072, false",
    "mlx5_0, 0, false, 65536, false",
    "cxi0, 0, false, 65536, false",
    "NET0, 0, true, 65536, false",
    "'', 0, false, 0, false",
  })
  void interfacesAreUsedByTcp(
      String name, long asic, boolean gdr, int connections, boolean expected) {
    NetNode port = port(name, asic, 12.5f, gdr, connections);
    assertEquals(expected, port.isInterface());
    assertEquals(false, port.isSpeedAssumed());
    assertEquals(expected, port(name, asic, 1.25f, gdr, connections).isSpeedAssumed());
  }

  private static NetNode port(String name, long asic, float gbps, boolean gdr, int connections) {
    return new NetNode(
        new NodeId(0, 0),
        name,
        0,
        asic,
        0,
        gbps,
        0,
        gdr,
        false,
        connections,
        OptionalInt.empty(),
        OptionalInt.empty(),
        0);
  }
}
