package dev.topo.simulator.network;

import dev.topo.simulator.timing.TimeEstimate;
import dev.topo.simulator.timing.TimeEstimate.Bottleneck;
import dev.topo.simulator.timing.TimeEstimate.LaunchHost;
import java.util.Optional;

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
