package dev.topo.simulator.network;

import dev.topo.simulator.calibration.NamedValue.MeasuredConstant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The constants of a kind of network and where they come from.
 *
 * @param name short name, as in {@code slingshot}
 * @param origin on which clusters they were measured, by whom, with which NCCL
 * @param spread how far its times are off; empty where that is known otherwise or not
 * @param values every constant, above 0
 */
public record NetworkCalibration(
    String name,
    String origin,
    Optional<NetworkSpread> spread,
    Map<NetworkConstant, Double> values) {
  public NetworkCalibration {
    values = MeasuredConstant.complete(NetworkConstant.class, values, "network " + name + ": ");
  }

  /** The values from which a fit starts. */
  public static NetworkCalibration typical() {
    return new NetworkCalibration(
        "typical",
        "typical values, not measured",
        Optional.empty(),
        Arrays.stream(NetworkConstant.values())
            .collect(Collectors.toMap(c -> c, NetworkConstant::typical)));
  }

  /** A constant in its unit. */
  public double value(NetworkConstant constant) {
    return Objects.requireNonNull(values.get(constant));
  }

  public NetworkCalibration with(NetworkConstant constant, double value) {
    Map<NetworkConstant, Double> changed = new EnumMap<>(values);
    changed.put(constant, value);
    return new NetworkCalibration(name, origin, spread, changed);
  }

  public NetworkCalibration named(String newName, String newOrigin) {
    return new NetworkCalibration(newName, newOrigin, Optional.empty(), values);
  }

  public NetworkCalibration withSpread(NetworkSpread known) {
    return new NetworkCalibration(name, origin, Optional.of(known), values);
  }

  /**
   * The constants of a network. Every constant is above 0. Typical latencies are those of NCCL's
   * own model ({@code hwLat}, {@code nccl:src/graph/tuning.cc}, 2.28.9); the share of a host bridge
   * is what eight A100 PCIe of two CPUs reach (in the median of five published operations) of the
   * bandwidth that NCCL plans with between these CPUs, that of host memory {@code copy.host} of
   * {@code h200-nvswitch} on its PCI links of 48 GB/s, and the copying of sends and receives that
   * of two H200 on one channel (2026-11-22, NCCL 2.28.9).
   */
  public enum NetworkConstant implements MeasuredConstant {
    /** The part of the line rate of a port that rings and trees reach. */
    SHARE("share", "1", 0.95),
    /** The part for sends and receives, whose messages are shorter. */
    SHARE_PEERS("share.peers", "1", 0.95),
    /**
     * The part of the rate of the PCI links that is reached where data between a GPU and a port
     * crosses a host bridge.
     */
    SHARE_BRIDGE("share.bridge", "1", 0.684),
    /** The part where data is copied through the host's memory, without GPUDirect RDMA. */
    SHARE_HOST("share.host", "1", 0.338),
    /** The most that a port carries, whatever its line rate: the CPU copies what goes over TCP. */
    PORT("port", "GB/s", 1000),
    /** The most by LL and LL128, whose small messages cost the CPU more. */
    PORT_FLAGGED("port.flagged", "GB/s", 1000),
    /**
     * A hop of a ring from node to node by Simple, beside copying: proxies post a message and
     * report its arrival.
     */
    STEP("step", "us", 30),
    /** A hop of a ring or tree by LL128, where the data carries its flags. */
    STEP_LL128("step.ll128", "us", 25),
    /** A hop of a ring or tree by LL. */
    STEP_LL("step.ll", "us", 12),
    /**
     * A byte on the wire of a channel by LL, to and from the memory of the hosts: the buffers of LL
     * are there, not on the GPUs ({@code sendSetup}, {@code nccl:src/transport/net.cc}, 2.28.9). 1
     * where the growth of messages with their size up to {@link #EAGER} holds it.
     */
    COPY_LL("copy.ll", "ps/B", 200),
    /**
     * A message of a ring by LL or LL128 whose buffer was used before: it waits until the receiver
     * has emptied the buffer and reported that.
     */
    REUSE("reuse", "us", 0.5),
    /**
     * The size of a message up to which the network sends it without asking the receiver first;
     * larger ones take as much longer, up to a hop of others. 1 where all messages are sent alike.
     */
    EAGER("eager", "B", 1),
    /** A hop with such a message, by any protocol. */
    HOP_EAGER("hop.eager", "us", 6),
    /** A hop of a tree by Simple. */
    HOP_TREE("hop.tree", "us", 33),
    /**
     * A hop of a tree by Simple waits so much longer where the node flushes what its NICs wrote to
     * a GPU: with GPUDirect RDMA before Hopper, by a read of its own NIC ({@code
     * ncclTopoNeedFlush}, {@code nccl:src/graph/paths.cc}, 2.28.9). The second slice of a chunk of
     * a ring hides it.
     */
    FLUSH("flush", "us", 28),
    /**
     * A message that software of the receiver gives to the buffer that waits for it, on networks
     * that match tags (libfabric's cxi); next to nothing on others, whose connections have queues.
     */
    MATCH("match", "us", 0.01),
    /**
     * A message of a ring by LL or LL128 that asks the receiver first and finds no buffer, because
     * the ring has more of them than buffers, or that software matches: those of all channels of a
     * port are one after the other. libfabric's cxi fetches such messages when they have been
     * matched (its rendezvous protocol). Next to nothing on other networks.
     */
    ASK("ask", "us", 0.01),
    /** A hop of a tree of NVLink domains, with the reduction in the switch. */
    HOP_NVLS("hop.nvls", "us", 33),
    /**
     * The part of what NVLS reaches on links that it reaches where the network between domains
     * works beside it.
     */
    SHARE_NVLS("share.nvls", "1", 0.95),
    /** Start of sends and receives that cross the network. */
    PEERS("peers", "us", 28),
    /** Addition of each peer on another node to that. */
    PER_PEER("peers.each", "us", 4),
    /**
     * The part of the first chunk of each transfer that the ports carry before anything else
     * happens, in chunks.
     */
    PEERS_FIRST("peers.first", "chunks", 1),
    /** Copying of a byte by a channel that sends and receives. */
    CHANNEL_PEERS("channel.peers", "ps/B", 47),
    /**
     * A byte of one transfer on one channel, whose messages wait for the acknowledgement of earlier
     * ones: 14 GB/s by NCCL's own estimate ({@code NCCL_P2P_PER_CHANNEL_NET_BW}, {@code
     * nccl:src/graph/paths.cc}, 2.29).
     */
    CONNECTION_PEERS("connection.peers", "ps/B", 71);

    private final String label;
    private final String unit;
    private final double typical;

    NetworkConstant(String label, String unit, double typical) {
      this.label = label;
      this.unit = unit;
      this.typical = typical;
    }

    @Override
    public String label() {
      return label;
    }

    @Override
    public String unit() {
      return unit;
    }

    /** The value from which a fit starts. */
    public double typical() {
      return typical;
    }

    /** True if it is a part of a rate, at most 1. */
    public boolean isShare() {
      return unit.equals("1");
    }

    /** The constant of this name; empty if there is none. */
    static Optional<NetworkConstant> ofLabel(String label) {
      return Arrays.stream(values()).filter(constant -> constant.label.equals(label)).findFirst();
    }
  }
}
