package dev.topo.search.request;

import dev.topo.model.PathType;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.Pattern;

/**
 * What the channels of one attempt must keep to.
 *
 * @param pattern the shape
 * @param crossNic 0 to leave by the port of entry; 1 to leave by any; 2 to leave by any and come
 *     back by it next
 * @param bwIntra bandwidth of each channel inside the node in GB/s
 * @param bwInter bandwidth of each channel to and from the network in GB/s
 * @param typeIntra the farthest path between GPUs
 * @param typeInter the farthest path between GPU and port
 * @param sameChannels whether each channel must repeat the one before
 * @param minChannels fewest channels that count as an answer
 * @param maxChannels most channels that are looked for
 */
public record Constraints(
    Pattern pattern,
    int crossNic,
    float bwIntra,
    float bwInter,
    PathType typeIntra,
    PathType typeInter,
    boolean sameChannels,
    int minChannels,
    int maxChannels) {
  /** These constraints as they are in a graph, but for the limits on the number of channels. */
  public Constraints beginningLike(ChannelGraph graph) {
    return new Constraints(
        graph.pattern(),
        graph.crossNic(),
        graph.bwIntra(),
        graph.bwInter(),
        graph.typeIntra(),
        graph.typeInter(),
        graph.sameChannels(),
        minChannels,
        maxChannels);
  }

  /** These constraints with another pattern. */
  public Constraints withPattern(Pattern newPattern) {
    return new Constraints(
        newPattern,
        crossNic,
        bwIntra,
        bwInter,
        typeIntra,
        typeInter,
        sameChannels,
        minChannels,
        maxChannels);
  }

  /** These constraints with another rule for ports. */
  public Constraints withCrossNic(int newCrossNic) {
    return new Constraints(
        pattern,
        newCrossNic,
        bwIntra,
        bwInter,
        typeIntra,
        typeInter,
        sameChannels,
        minChannels,
        maxChannels);
  }

  /** These constraints with other bandwidths. */
  public Constraints withBandwidth(float newBwIntra, float newBwInter) {
    return new Constraints(
        pattern,
        crossNic,
        newBwIntra,
        newBwInter,
        typeIntra,
        typeInter,
        sameChannels,
        minChannels,
        maxChannels);
  }

  /** These constraints with other farthest paths. */
  public Constraints withTypes(PathType newTypeIntra, PathType newTypeInter) {
    return new Constraints(
        pattern,
        crossNic,
        bwIntra,
        bwInter,
        newTypeIntra,
        newTypeInter,
        sameChannels,
        minChannels,
        maxChannels);
  }

  /** These constraints with equal channels required or not. */
  public Constraints withSameChannels(boolean newSameChannels) {
    return new Constraints(
        pattern,
        crossNic,
        bwIntra,
        bwInter,
        typeIntra,
        typeInter,
        newSameChannels,
        minChannels,
        maxChannels);
  }

  /** These constraints with other limits on the number of channels. */
  public Constraints withChannels(int newMinChannels, int newMaxChannels) {
    return new Constraints(
        pattern,
        crossNic,
        bwIntra,
        bwInter,
        typeIntra,
        typeInter,
        sameChannels,
        newMinChannels,
        newMaxChannels);
  }
}
