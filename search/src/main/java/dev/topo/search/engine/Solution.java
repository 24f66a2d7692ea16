package dev.topo.search.engine;

import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.GraphKind.Pattern;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The best channels found so far and the constraints that they satisfy. Reused during the search;
 * {@link #toGraph} returns it as a value.
 */
final class Solution {

  private final SearchSpace space;
  private Constraints constraints;
  private int nChannels;
  private int hops;
  private float latencyInter;
  private int[] gpus = {};
  private int[] ports = {};

  Solution(SearchSpace space, Constraints constraints) {
    this.space = space;
    this.constraints = constraints;
  }

  /**
   * The constraints under which the channels were found; before that, those that the search began
   * with.
   */
  Constraints constraints() {
    return constraints;
  }

  /** Number of channels, 0 if none were found. */
  int nChannels() {
    return nChannels;
  }

  int hops() {
    return hops;
  }

  void set(
      Constraints newConstraints,
      int newNChannels,
      int newHops,
      float newLatency,
      int[] newGpus,
      int[] newPorts) {
    constraints = newConstraints;
    nChannels = newNChannels;
    hops = newHops;
    latencyInter = newLatency;
    int gpuCount = newNChannels * space.gpus;
    if (gpus.length < gpuCount) {
      gpus = new int[newGpus.length];
      ports = new int[newPorts.length];
    }
    System.arraycopy(newGpus, 0, gpus, 0, gpuCount);
    System.arraycopy(newPorts, 0, ports, 0, newNChannels * 2);
  }

  /**
   * Doubles the channels at half the bandwidth where a channel is fast enough for two ({@code
   * ncclTopoDupChannels}).
   *
   * @param minSm compute capability of the oldest GPU
   */
  void duplicateFastChannels(int minSm) {
    boolean slow =
        constraints.bwIntra() < space.rules.duplicateGBps
            || (minSm > space.rules.duplicateAboveSm
                && constraints.bwIntra() < space.rules.duplicateNewerGBps
                && nChannels > space.rules.duplicateNewerChannels);
    if (nChannels == 0 || constraints.pattern() == Pattern.NVLS || slow) {
      return;
    }
    int doubled = Math.min(nChannels * 2, constraints.maxChannels());
    int copies = (doubled + nChannels - 1) / nChannels;
    gpus = Arrays.copyOf(gpus, Math.max(gpus.length, doubled * space.gpus));
    ports = Arrays.copyOf(ports, Math.max(ports.length, doubled * 2));
    System.arraycopy(gpus, 0, gpus, nChannels * space.gpus, (doubled - nChannels) * space.gpus);
    System.arraycopy(ports, 0, ports, nChannels * 2, (doubled - nChannels) * 2);
    constraints =
        constraints.with(
            c -> c.bandwidth(constraints.bwIntra() / copies, constraints.bwInter() / copies));
    nChannels = doubled;
  }

  /** The graph of the channels found, possibly without channels. */
  ChannelGraph toGraph(GraphKind kind) {
    List<Channel> channels = IntStream.range(0, nChannels).mapToObj(c -> channel(c, kind)).toList();
    return new ChannelGraph(
        kind,
        constraints.pattern(),
        constraints.crossNic(),
        constraints.bwIntra(),
        constraints.bwInter(),
        latencyInter,
        constraints.typeIntra(),
        constraints.typeInter(),
        constraints.sameChannels(),
        channels);
  }

  private Channel channel(int channel, GraphKind kind) {
    List<Integer> ranks = new ArrayList<>();
    int listed = kind == GraphKind.NVLS ? 1 : space.gpus;
    for (int i = 0; i < listed; i++) {
      ranks.add(space.gpuNodes.get(gpus[channel * space.gpus + i]).rank());
    }
    if (kind == GraphKind.NVLS) {
      space.gpuNodes.stream()
          .map(GpuNode::rank)
          .filter(rank -> !ranks.get(0).equals(rank))
          .forEach(ranks::add);
    }
    Optional<Channel.Nets> nets =
        space.crossesNetwork
            ? Optional.of(new Channel.Nets(portId(channel * 2), portId(channel * 2 + 1)))
            : Optional.empty();
    return new Channel(ranks, nets);
  }

  private NodeId portId(int place) {
    return space.netNodes.get(ports[place]).id();
  }
}
