package dev.topo.search.engine;

import dev.topo.model.Link.PathType;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind.Pattern;
import java.util.function.Consumer;

/**
 * The conditions for the channels of one attempt.
 *
 * @param pattern the pattern of the channels
 * @param crossNic 0: a channel leaves by its port of entry; 1: by any port; 2: by any port, and the
 *     next channel uses the ports in reverse
 * @param bwIntra bandwidth of each channel inside the node in GB/s
 * @param bwInter bandwidth of each channel to and from the network in GB/s
 * @param typeIntra the farthest path between GPUs
 * @param typeInter the farthest path between GPU and port
 * @param sameChannels whether each channel must repeat the one before
 * @param minChannels the smallest number of channels of a solution
 * @param maxChannels the number of channels at which the search ends
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
  /** The constraints of a graph, with these limits on the number of channels. */
  Constraints beginningLike(ChannelGraph graph) {
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

  Constraints with(Consumer<Changes> change) {
    Changes changed = new Changes(this);
    change.accept(changed);
    return changed.constraints();
  }

  /** A mutable copy of constraints. */
  public static final class Changes {
    public Pattern pattern;
    public int crossNic;
    public boolean sameChannels;
    private float bwIntra;
    private float bwInter;
    private PathType typeIntra;
    private PathType typeInter;
    private int minChannels;
    private int maxChannels;

    private Changes(Constraints from) {
      pattern = from.pattern;
      crossNic = from.crossNic;
      sameChannels = from.sameChannels;
      bandwidth(from.bwIntra, from.bwInter);
      channels(from.minChannels, from.maxChannels);
      typeIntra = from.typeIntra;
      typeInter = from.typeInter;
    }

    void bandwidth(float intra, float inter) {
      bwIntra = intra;
      bwInter = inter;
    }

    void types(PathType intra, PathType inter) {
      typeIntra = intra;
      typeInter = inter;
    }

    void channels(int min, int max) {
      minChannels = min;
      maxChannels = max;
    }

    private Constraints constraints() {
      return new Constraints(
          pattern,
          crossNic,
          bwIntra,
          bwInter,
          typeIntra,
          typeInter,
          sameChannels,
          minChannels,
          maxChannels);
    }
  }
}
