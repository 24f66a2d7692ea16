package dev.topo.simulator.network;

import java.util.Arrays;
import java.util.List;

/** The kinds of networks between nodes whose constants come with topo. */
public enum NetworkKind {
  /** InfiniBand and RoCE. */
  RDMA("rdma", "InfiniBand and RoCE: HDR, NDR, XDR, Spectrum-X, planes", "mlx5_0 and all others"),
  /** Slingshot with its plugin. */
  SLINGSHOT("slingshot", "HPE Slingshot 11 with aws-ofi-nccl", "cxi*"),
  /** EFA with its plugin; on p4de the first EFA reached 0.85 of the line rate. */
  EFA("efa", "AWS EFA with aws-ofi-nccl: p5, p5en, p6 (p4d 15 % slower)", "rdmap*, efa*"),
  /** TCP. */
  SOCKETS("sockets", "TCP (NCCL_NET=Socket), not GPUDirect-TCPX", "interfaces, as in eth0");

  private final String label;
  private final String use;
  private final String chosenBy;

  NetworkKind(String label, String use, String chosenBy) {
    this.label = label;
    this.use = use;
    this.chosenBy = chosenBy;
  }

  /** The name in command lines and files. */
  public String label() {
    return label;
  }

  /** What it is for, in words. */
  public String use() {
    return use;
  }

  /** The names of ports that it is chosen by where the user names none. */
  public String chosenBy() {
    return chosenBy;
  }

  /** The constants. */
  public NetworkCalibration constants() {
    return NetworkFile.shipped(label).orElseThrow();
  }

  static List<String> labels() {
    return Arrays.stream(values()).map(NetworkKind::label).toList();
  }
}
