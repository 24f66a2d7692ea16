package dev.topo.model;

import java.util.OptionalInt;
import java.util.regex.Pattern;

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
 * @param pciModel vendor and device of its PCI function, 16 bits each; 0 where the NCCL version
 *     does not read them, or none are stated
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
    OptionalInt plane,
    int pciModel)
    implements Node {
  /** Network interfaces; ports for RDMA have the names of their drivers. */
  private static final Pattern INTERFACE =
      Pattern.compile(
          "(eth|en[opsx]|ib\\d|ibp|ibs|bond|br|lo|veth|wl|team|cali|tun|tap|docker|lxc|virbr).*");

  private static final Pattern RDMA_DEVICE =
      Pattern.compile("(mlx|bnxt_re|irdma|ionic|roce|rdmap|efa|cxi|hfi|mana|qedr|erdma|xsc).*");

  private static final long MOST_INTERFACES = 0xffff;

  /**
   * The connections that the socket transport states for an interface ({@code
   * ncclNetSocketGetProperties}).
   */
  private static final int CONNECTIONS_OF_INTERFACE = 65_536;

  /** The speed that the socket transport assumes for an interface without one, 10 Gb/s. */
  private static final float ASSUMED_GBPS = 1.25f;

  /** Checks that no part is missing and that the bandwidth is positive. */
  public NetNode {
    if (!(bwGBps > 0)) {
      throw new IllegalArgumentException("bandwidth " + bwGBps + " GB/s is not positive");
    }
  }

  /** A port for which no rail, no plane and no PCI function is stated. */
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
        OptionalInt.empty(),
        0);
  }

  /**
   * True if the port is a network interface, which NCCL uses by TCP sockets. NCCL numbers
   * interfaces where devices for RDMA have a GUID, and states no GPUDirect and 65536 connections
   * ({@code ncclNetSocketGetProperties}, {@code nccl:src/transport/net_socket.cc}); in files that
   * people have written, the name tells.
   */
  public boolean isInterface() {
    boolean hasGuid = Long.compareUnsigned(asic, MOST_INTERFACES) > 0;
    boolean isNamed = INTERFACE.matcher(name).matches();
    boolean isStated =
        maxChannels == CONNECTIONS_OF_INTERFACE && !RDMA_DEVICE.matcher(name).matches();
    return !hasGuid && !gdr && (isNamed || isStated);
  }

  /**
   * True if the speed may be the one that NCCL assumes for an interface that states none ({@code
   * ncclNetSocketGetSpeed}, {@code nccl:src/transport/net_socket.cc}).
   */
  public boolean isSpeedAssumed() {
    return isInterface() && bwGBps == ASSUMED_GBPS;
  }

  @Override
  public NodeType type() {
    return NodeType.NET;
  }

  @Override
  public NetNode withId(NodeId newId) {
    return new NetNode(
        newId,
        name,
        dev,
        asic,
        port,
        bwGBps,
        latencyUs,
        gdr,
        collNet,
        maxChannels,
        rail,
        plane,
        pciModel);
  }
}
