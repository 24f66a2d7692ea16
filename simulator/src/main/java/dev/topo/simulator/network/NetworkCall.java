package dev.topo.simulator.network;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.timing.TimeEstimate;
import dev.topo.simulator.timing.TimeEstimate.Bottleneck;
import dev.topo.simulator.timing.TimeEstimate.LaunchHost;
import dev.topo.simulator.timing.TimeEstimate.NodeTime;
import java.util.Optional;

/**
 * The properties of a collective that determine its time between nodes.
 *
 * @param roundTrips whether the part of every rank goes round the ring; else a ring is a pipeline
 *     from or to one rank
 * @param parts parts that a round of a ring has of a channel's bytes
 * @param sends how often a channel sends each byte of a part; 1 where data does not go round
 * @param hops hops between nodes that a chunk makes, one after the other
 * @param innerHops hops inside nodes that it makes
 * @param shareBytes bytes of a channel
 * @param chunkBytes what a channel moves in one step at most
 * @param receivers what those who receive messages do with them
 * @param port what the busiest port carries
 * @param uplink what the busiest uplinks of switches carry
 * @param node what the call takes on each node by itself
 */
public record NetworkCall(
    Algorithm algorithm,
    Protocol protocol,
    boolean roundTrips,
    int parts,
    int sends,
    int hops,
    int innerHops,
    long shareBytes,
    int chunkBytes,
    Receivers receivers,
    PortLoad port,
    UplinkLoad uplink,
    NodeTime node) {
  /**
   * Work of the receivers of messages.
   *
   * @param flush whether GPUs wait until what NICs wrote to them is visible
   * @param software whether all messages are given to their buffers by software
   * @param unexpected the part of small messages of rings and of sends to many that arrives before
   *     its buffer is there, which software handles as well
   */
  public record Receivers(boolean flush, boolean software, double unexpected) {
    /** They do nothing that takes time. */
    public static final Receivers PLAIN = new Receivers(false, false, 0);

    /**
     * The part of messages that software handles, where many may wait.
     *
     * @param small the part of messages that are sent without asking; the others are expected
     */
    double matched(double small) {
      return software ? 1 : unexpected * small;
    }
  }

  /** Where the switches are not known. */
  public NetworkCall(
      Algorithm algorithm,
      Protocol protocol,
      boolean roundTrips,
      int parts,
      int sends,
      int hops,
      int innerHops,
      long shareBytes,
      int chunkBytes,
      PortLoad port,
      NodeTime node) {
    this(
        algorithm,
        protocol,
        roundTrips,
        parts,
        sends,
        hops,
        innerHops,
        shareBytes,
        chunkBytes,
        Receivers.PLAIN,
        port,
        UplinkLoad.NONE,
        node);
  }

  NetworkCall with(UplinkLoad other) {
    return new NetworkCall(
        algorithm,
        protocol,
        roundTrips,
        parts,
        sends,
        hops,
        innerHops,
        shareBytes,
        chunkBytes,
        receivers,
        port,
        other,
        node);
  }

  public NetworkCall {
    if (parts < 1 || sends < 1 || hops < 1 || innerHops < 0 || shareBytes < 0 || chunkBytes < 1) {
      throw new IllegalArgumentException(
          parts + " parts, " + sends + " sends, " + hops + " and " + innerHops + " hops");
    }
  }

  /**
   * The time of a call between nodes, part by part, in microseconds.
   *
   * @param startUs start and end of the kernel
   * @param stepsUs waiting for messages of the network
   * @param fillUs until the first data has reached the end of a pipeline
   * @param transferUs moving the data
   * @param limit what takes the longest
   */
  public record NetworkTime(
      double startUs, double stepsUs, double fillUs, double transferUs, Limit limit) {
    /** Parts of the network that limit a time. */
    public enum Limit {
      /** The busiest port of a node. */
      PORT,
      /** The busiest uplink of a switch. */
      UPLINK,
      /** Messages of the network, one after the other. */
      MESSAGES,
      /** The copying of the channels. */
      CHANNELS,
      /** The busiest link inside a node. */
      LINKS
    }

    /** The time where uplinks are slower than the ports that it may wait for. */
    NetworkTime withUplink(boolean isSlower) {
      return isSlower && limit == Limit.PORT
          ? new NetworkTime(startUs, stepsUs, fillUs, transferUs, Limit.UPLINK)
          : this;
    }

    /** The time of the kernel. */
    public double kernelUs() {
      return startUs + stepsUs + fillUs + transferUs;
    }

    /** The port or links that limit the call; empty where it waits for something else. */
    public Optional<String> full() {
      return switch (limit) {
        case PORT -> Optional.of("NICs");
        case UPLINK -> Optional.of("uplinks of switches");
        case LINKS -> Optional.of("links in a node");
        case MESSAGES, CHANNELS -> Optional.empty();
      };
    }

    /** The estimate without launches, in the form of other times of calls. */
    public TimeEstimate estimate() {
      Bottleneck bottleneck =
          switch (limit) {
            case MESSAGES -> Bottleneck.LATENCY;
            case CHANNELS -> Bottleneck.CHANNELS;
            case PORT, UPLINK, LINKS -> Bottleneck.LINKS;
          };
      return new TimeEstimate(
          kernelUs(), bottleneck, 0, startUs, stepsUs, fillUs, transferUs, LaunchHost.UNKNOWN);
    }
  }
}
