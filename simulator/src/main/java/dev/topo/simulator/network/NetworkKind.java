package dev.topo.simulator.network;

import dev.topo.model.Node.NetNode;
import dev.topo.model.QuantityFormat;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.search.connect.Connection;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Kinds of networks between nodes for which topo ships constants. */
public enum NetworkKind {
  /** InfiniBand and RoCE. */
  RDMA("rdma", "InfiniBand and RoCE: HDR, NDR, XDR, Spectrum-X, planes", List.of()) {
    @Override
    public String chosenBy() {
      return "mlx5_0 and all others";
    }
  },
  /** Slingshot with its plugin. */
  SLINGSHOT("slingshot", "HPE Slingshot 11 with aws-ofi-nccl", List.of("cxi")),
  /** EFA with its plugin. The first generation of EFA is slower. */
  EFA("efa", "AWS EFA with aws-ofi-nccl: p5, p5en, p6 (p4d is slower)", List.of("rdmap", "efa")),
  /** TCP. */
  SOCKETS("sockets", "TCP (NCCL_NET=Socket), not GPUDirect-TCPX", List.of()) {
    @Override
    public String chosenBy() {
      return "interfaces, as in eth0";
    }
  };

  private final String label;
  private final String use;
  private final List<String> prefixes;

  /**
   * @param prefixes prefixes of the port names that identify the network; empty if none do
   */
  NetworkKind(String label, String use, List<String> prefixes) {
    this.label = label;
    this.use = use;
    this.prefixes = prefixes;
  }

  /** The kind of network that a port's name, or its being an interface, implies. */
  static NetworkKind of(NetNode port) {
    String name = port.name().toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(kind -> kind.prefixes.stream().anyMatch(name::startsWith))
        .findFirst()
        .orElse(port.isInterface() ? SOCKETS : RDMA);
  }

  /**
   * The kind of network that the settings and the ports of a job's nodes imply; NCCL's topology
   * file does not state it.
   *
   * @throws UnusableTopologyException if the ports belong to several networks: each rank uses the
   *     plugin that it finds ({@code ncclNetInit}, {@code nccl:src/plugin/net.cc}, 2.28.9)
   */
  public static NetworkKind of(Connection connection) {
    if (connection.settings().usesSockets()) {
      return SOCKETS;
    }
    Map<NetworkKind, String> ports = new EnumMap<>(NetworkKind.class);
    connection
        .topologies()
        .flatMap(topology -> topology.nets().stream().limit(1))
        .forEach(
            port -> ports.putIfAbsent(of(port), port.name().isEmpty() ? "unnamed" : port.name()));
    if (ports.size() > 1) {
      throw new UnusableTopologyException(
          "the nodes have several networks (ports %s), which cannot connect to each other"
              .formatted(String.join(", ", ports.values())));
    }
    return ports.keySet().stream().findFirst().orElse(RDMA);
  }

  /** Name in command lines and files. */
  public String label() {
    return label;
  }

  /** Hardware and plugin that the constants apply to. */
  public String use() {
    return use;
  }

  /** Port names for which this kind is the default. */
  public String chosenBy() {
    return QuantityFormat.joined(", ", prefixes, prefix -> prefix + "*");
  }

  /** Constants of this kind. */
  public NetworkCalibration constants() {
    return NetworkFile.shipped(label).orElseThrow();
  }

  static List<String> labels() {
    return Arrays.stream(values()).map(NetworkKind::label).toList();
  }
}
