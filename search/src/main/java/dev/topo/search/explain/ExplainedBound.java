package dev.topo.search.explain;

import dev.topo.model.DeviceName;
import dev.topo.model.Link;
import dev.topo.model.Link.LinkType;
import dev.topo.model.QuantityFormat;
import dev.topo.model.Topology;
import dev.topo.search.bound.GraphBound;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The bound of a graph with the names of its devices.
 *
 * @param bandwidthGBps upper bound on the total bandwidth of the graph's channels in GB/s
 * @param usedGBps total bandwidth in GB/s of the channels that the search found
 * @param cut the links that determine the bound, each direction separately
 */
public record ExplainedBound(float bandwidthGBps, float usedGBps, List<CutLink> cut) {
  public ExplainedBound {
    cut = List.copyOf(cut);
  }

  /**
   * A link in one direction.
   *
   * @param from the device that it leaves
   * @param to the device that it enters
   * @param type its link type
   * @param bandwidthGBps its bandwidth in GB/s
   */
  public record CutLink(String from, String to, LinkType type, float bandwidthGBps) {
    /** A link of a machine, with its bandwidth in a cut. */
    public static CutLink of(Topology topology, Link link, double gbps) {
      DeviceName names = new DeviceName(topology);
      return new CutLink(names.of(link.from()), names.of(link.to()), link.type(), (float) gbps);
    }

    private boolean isReverseOf(CutLink other) {
      return from.equals(other.to) && to.equals(other.from) && type == other.type;
    }
  }

  static ExplainedBound of(Topology topology, GraphBound bound) {
    return new ExplainedBound(
        (float) bound.bandwidthGBps(),
        (float) bound.usedGBps(),
        bound.cut().links().stream()
            .map(link -> CutLink.of(topology, link, link.bwGBps()))
            .toList());
  }

  /** The bound as a sentence, in which both directions of a link count as one link. */
  String sentence() {
    CutLink first = cut.get(0);
    long others =
        IntStream.range(1, cut.size())
            .filter(i -> cut.subList(0, i).stream().noneMatch(cut.get(i)::isReverseOf))
            .count();
    return "The cut that bounds this graph: %s %s to %s%s, %s of %s."
        .formatted(
            first.type(),
            first.from(),
            first.to(),
            others == 0 ? "" : " and " + QuantityFormat.count((int) others, "other link"),
            DeviceNames.number(usedGBps),
            DeviceNames.gbps(bandwidthGBps));
  }
}
