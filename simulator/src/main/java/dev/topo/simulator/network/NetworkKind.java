package dev.topo.simulator.network;

import dev.topo.model.Node.NetNode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The kinds of networks between nodes whose constants come with topo. */
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
  /** EFA with its plugin; the first EFA is slower. */
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
   * @param prefixes what names of its ports begin with; none where they have no such word
   */
  NetworkKind(String label, String use, List<String> prefixes) {
    this.label = label;
    this.use = use;
    this.prefixes = prefixes;
  }

  /** The kind that goes with a port, by its name. */
  public static NetworkKind of(NetNode port) {
    String name = port.name().toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(kind -> kind.prefixes.stream().anyMatch(name::startsWith))
        .findFirst()
        .orElse(port.isInterface() ? SOCKETS : RDMA);
  }

  /** The name in command lines and files. */
  public String label() {
    return label;
  }

  /** Use of the network, in words. */
  public String use() {
    return use;
  }

  /** The names of ports that it is chosen by where the user names none. */
  public String chosenBy() {
    return prefixes.stream().map(prefix -> prefix + "*").collect(Collectors.joining(", "));
  }

  /** The constants. */
  public NetworkCalibration constants() {
    return NetworkFile.shipped(label).orElseThrow();
  }

  static List<String> labels() {
    return Arrays.stream(values()).map(NetworkKind::label).toList();
  }
}
