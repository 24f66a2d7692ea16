package dev.topo.simulator.network;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.timing.TimeEstimate;
import dev.topo.simulator.timing.TimeEstimate.Bottleneck;
import dev.topo.simulator.timing.TimeEstimate.LaunchHost;
import dev.topo.simulator.timing.TimeEstimate.NodeTime;
import java.util.Optional;

/**
 * Properties of a collective that determine its time between nodes.
 *
 * @param roundTrips whether the data of every rank travels around the ring; otherwise a ring is a
 *     pipeline from or to one rank
 * @param parts number of parts into which a round of a ring divides a channel's bytes
 * @param sends how often a channel sends each byte of a part around the ring; for pipelines and
 *     trees, the number of chunks that a port sends for each chunk
 * @param hops consecutive hops of a chunk between nodes
 * @param innerHops hops of a chunk inside nodes
 * @param shareBytes bytes of a channel
 * @param chunkBytes most bytes that a channel moves in one step
 * @param receivers work of the receivers of messages
 * @param port load of the busiest port
 * @param uplink load of the busiest uplinks of switches; empty if switches are assumed not to limit
 * @param node time of the call on a node alone
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
    Optional<UplinkLoad> uplink,
    NodeTime node) {
  /**
   * Work of the receivers of messages.
   *
   * @param flush whether GPUs wait until data written by NICs is visible
   * @param software whether software matches all messages to their buffers
   * @param unexpected fraction of the small messages of rings, and of sends to many peers, that
   *     arrive before their buffer is posted, so that software matches them, too
   */
  public record Receivers(boolean flush, boolean software, double unexpected) {
    /** Receivers whose work takes no time. */
    public static final Receivers PLAIN = new Receivers(false, false, 0);

    /**
     * Fraction of messages that software matches.
     *
     * @param small fraction of messages that are sent without asking the receiver; others never
     *     arrive unexpected
     */
    double matched(double small) {
      return software ? 1 : unexpected * small;
    }
  }

  /** The same call with another load of uplinks. */
  NetworkCall with(Optional<UplinkLoad> other) {
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
   * Parts of the time of a call between nodes, in microseconds.
   *
   * @param startUs start and end of the kernel
   * @param stepsUs latency of the network's messages
   * @param fillUs time until the first data reaches the end of a pipeline
   * @param transferUs time to move the data
   * @param limit part that takes the longest
   */
  public record NetworkTime(
      double startUs, double stepsUs, double fillUs, double transferUs, Limit limit) {
    /** Parts of the network that limit a time. */
    public enum Limit {
      /** The busiest port of a node. */
      PORT,
      /** The busiest uplink of a switch. */
      UPLINK,
      /** Consecutive messages of the network. */
      MESSAGES,
      /** Copying by the channels. */
      CHANNELS,
      /** The busiest link inside a node. */
      LINKS
    }

    /** This time, limited by uplinks instead of ports if uplinks are slower. */
    NetworkTime withUplink(boolean isSlower) {
      return isSlower && limit == Limit.PORT
          ? new NetworkTime(startUs, stepsUs, fillUs, transferUs, Limit.UPLINK)
          : this;
    }

    /** Time of the kernel in microseconds. */
    public double kernelUs() {
      return startUs + stepsUs + fillUs + transferUs;
    }

    /** Name of the saturated ports or links; empty if messages or channels limit the call. */
    public Optional<String> full() {
      return switch (limit) {
        case PORT -> Optional.of("NICs");
        case UPLINK -> Optional.of("uplinks of switches");
        case LINKS -> Optional.of("links in a node");
        case MESSAGES, CHANNELS -> Optional.empty();
      };
    }

    /** This time as an estimate of a call, without the time of launches. */
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
