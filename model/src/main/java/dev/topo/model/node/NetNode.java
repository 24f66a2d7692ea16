package dev.topo.model.node;

import java.util.OptionalInt;

/**
 * A network port.
 *
 * @param id host and device number
 * @param name the name of the device, {@code mlx5_0}; empty if the file has none
 * @param dev number that the network plugin gives it
 * @param asic identity of the chip: ports of one chip share its bandwidth
 * @param port port number on the chip
 * @param bwGBps bandwidth in GB/s (NCCL computes it in single precision)
 * @param latencyUs latency in microseconds that the plugin states, 0 if none
 * @param gdr whether it supports GPUDirect RDMA
 * @param collNet whether it reduces in the network (SHARP)
 * @param maxChannels connections that it supports
 * @param rail the rail that it is on, if the file states one and the NCCL version reads it
 * @param plane the plane of the network that it is on, likewise; planes are not connected to each
 *     other
 */
public record NetNode(
    NodeId id,
    String name,
    int dev,
    long asic,
    int port,
    float bwGBps,
    float latencyUs,
    boolean gdr,
    boolean collNet,
    int maxChannels,
    OptionalInt rail,
    OptionalInt plane)
    implements Node {
  /** Checks that no part is missing and that the bandwidth is positive. */
  public NetNode {
    if (!(bwGBps > 0)) {
      throw new IllegalArgumentException("bandwidth " + bwGBps + " GB/s is not positive");
    }
  }

  /** A port for which no rail and no plane is stated. */
  public NetNode(
      NodeId id,
      String name,
      int dev,
      long asic,
      int port,
      float bwGBps,
      float latencyUs,
      boolean gdr,
      boolean collNet,
      int maxChannels) {
    this(
        id,
        name,
        dev,
        asic,
        port,
        bwGBps,
        latencyUs,
        gdr,
        collNet,
        maxChannels,
        OptionalInt.empty(),
        OptionalInt.empty());
  }

  @Override
  public NodeType type() {
    return NodeType.NET;
  }

  @Override
  public NetNode withId(NodeId newId) {
    return new NetNode(
        newId, name, dev, asic, port, bwGBps, latencyUs, gdr, collNet, maxChannels, rail, plane);
  }
}
