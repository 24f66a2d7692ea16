package dev.topo.simulator.network;

import dev.topo.simulator.calibration.NamedValue.FittedConstant;
import dev.topo.simulator.calibration.NamedValue.MeasuredConstant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Constants of a kind of network, with their origin.
 *
 * @param name short name, as in {@code slingshot}
 * @param origin clusters, authors and NCCL versions of the measurements
 * @param values value of every constant, above 0
 */
public record NetworkCalibration(String name, String origin, Map<NetworkConstant, Double> values) {
  public NetworkCalibration {
    values = MeasuredConstant.complete(NetworkConstant.class, values, "network " + name + ": ");
  }

  /** Calibration with the values from which a fit starts. */
  public static NetworkCalibration typical() {
    return new NetworkCalibration(
        "typical",
        "typical values, not measured",
        Arrays.stream(NetworkConstant.values())
            .collect(Collectors.toMap(c -> c, NetworkConstant::typical)));
  }

  /** Value of a constant in its unit. */
  public double value(NetworkConstant constant) {
    return Objects.requireNonNull(values.get(constant));
  }

  /** The same calibration with another value of a constant. */
  public NetworkCalibration with(NetworkConstant constant, double value) {
    Map<NetworkConstant, Double> changed = new EnumMap<>(values);
    changed.put(constant, value);
    return new NetworkCalibration(name, origin, changed);
  }

  public NetworkCalibration named(String newName, String newOrigin) {
    return new NetworkCalibration(newName, newOrigin, values);
  }

  /**
   * Constants of a network, all above 0. Sources of the typical values: latencies are those of
   * NCCL's own model ({@code hwLat}, {@code nccl:src/graph/tuning.cc}, 2.28.9). {@link
   * #SHARE_BRIDGE} is the fraction of the bandwidth that NCCL assumes between two CPUs which eight
   * A100 PCIe reached there (median of five published operations). {@link #SHARE_HOST} is {@code
   * copy.host} of {@code h200-nvswitch} relative to its PCI links of 48 GB/s. {@link
   * #CHANNEL_PEERS} was measured on two H200 with one channel (2026-11-22, NCCL 2.28.9).
   */
  public enum NetworkConstant implements FittedConstant {
    /** Fraction of a port's line rate that rings and trees reach. */
    SHARE,
    /** The same for sends and receives, whose messages are shorter. */
    SHARE_PEERS,
    /**
     * Fraction of the rate of PCI links that is reached if data between a GPU and a port crosses a
     * host bridge.
     */
    SHARE_BRIDGE,
    /** The same if data is copied through host memory, without GPUDirect RDMA. */
    SHARE_HOST,
    /** Largest bandwidth of a port at any line rate: with TCP the CPU copies the data. */
    PORT,
    /** The same with LL and LL128, whose small messages cost the CPU more. */
    PORT_FLAGGED,
    /**
     * Time of a hop of a ring between nodes with Simple, without copying: proxies post a message
     * and report its arrival.
     */
    STEP,
    /** Time of a hop of a ring or tree with LL128, where the data carries its flags. */
    STEP_LL128,
    /** Time of a hop of a ring or tree with LL. */
    STEP_LL,
    /**
     * Time that a channel takes to copy a byte of LL, flags included, to and from host memory: the
     * buffers of LL are there, not on the GPUs ({@code sendSetup}, {@code
     * nccl:src/transport/net.cc}, 2.28.9). 1 if the growth of message times described at {@link
     * #EAGER} already includes it.
     */
    COPY_LL,
    /**
     * Extra time of a message of a ring with LL or LL128 that reuses a buffer: the sender waits
     * until the receiver has emptied the buffer and reported so.
     */
    REUSE,
    /**
     * Largest message that the network sends without asking the receiver first (eager). The time of
     * larger messages grows with their size up to that of other hops. 1 if the network makes no
     * such difference.
     */
    EAGER,
    /** Time of a hop with an eager message, with any protocol. */
    HOP_EAGER,
    /** Time of a hop of a tree with Simple. */
    HOP_TREE,
    /**
     * Extra time of a hop of a tree with Simple if the node flushes the data that its NICs wrote to
     * a GPU: with GPUDirect RDMA before Hopper, by a read of its own NIC ({@code
     * ncclTopoNeedFlush}, {@code nccl:src/graph/paths.cc}, 2.28.9). On a ring, the second slice of
     * a chunk hides this time.
     */
    FLUSH,
    /**
     * Time that the receiver's software takes to match a message to its buffer, on networks that
     * match tags (libfabric's cxi). Close to 0 on other networks, which have a queue for each
     * connection.
     */
    MATCH,
    /**
     * Time of a message of a ring with LL or LL128 that asks the receiver first, if it finds no
     * buffer because the ring has more messages than buffers, or if software matches it. A port
     * handles the messages of all its channels one after the other. libfabric's cxi fetches such
     * messages after matching them (its rendezvous protocol). Close to 0 on other networks.
     */
    ASK,
    /** Time of a hop of a tree between NVLink domains, with the reduction in the switch. */
    HOP_NVLS,
    /**
     * Fraction of its bandwidth on NVLink that NVLS reaches while the network between domains is
     * active.
     */
    SHARE_NVLS,
    /** Start time of sends and receives that cross the network. */
    PEERS,
    /** Addition to {@link #PEERS} for each peer on another node. */
    PEERS_EACH,
    /**
     * Part of the first chunk of each transfer that the ports carry before other work overlaps, in
     * chunks.
     */
    PEERS_FIRST,
    /** Time of a channel that sends and receives to copy a byte. */
    CHANNEL_PEERS,
    /**
     * Time per byte of one transfer on one channel, where messages wait for the acknowledgement of
     * earlier ones. Typical: 14 GB/s, NCCL's own estimate ({@code NCCL_P2P_PER_CHANNEL_NET_BW},
     * {@code nccl:src/graph/paths.cc}, 2.29).
     */
    CONNECTION_PEERS;

    /** True if the constant is a fraction of a rate, at most 1. */
    public boolean isShare() {
      return unit().equals("1");
    }

    /** The constant with a label; empty if no constant has it. */
    static Optional<NetworkConstant> ofLabel(String label) {
      return MeasuredConstant.ofLabel(NetworkConstant.class, label);
    }
  }
}
