package dev.topo.simulator.variant;

import dev.topo.model.Labels;
import dev.topo.model.QuantityFormat;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.simulator.variant.JobChange.ChoiceChange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The most important change of one kind.
 *
 * @param topic the kind
 * @param subject the changed item: {@code collectives}, {@code tree}, {@code AllReduce of 8 MiB}
 * @param before its value under the older rules
 * @param after its value under the newer rules
 */
public record UpgradePoint(Topic topic, String subject, String before, String after) {
  /** Kinds of changes, the most important first. */
  public enum Topic {
    /** The start of NCCL. */
    START,
    /** Channels of collectives. */
    CHANNELS,
    /** Busbw, where a calibration predicts it. */
    BUSBW,
    /** Algorithm and protocol. */
    CHOICE,
    /** Bandwidth of a graph. */
    GRAPH,
    /** Channels of NVLink multicast. */
    NVLS,
    /** Channels of sends and receives. */
    PEERS;

    /** The name in outputs. */
    public String label() {
      return Labels.of(this);
    }
  }

  /** The changes of a job, one of each kind, the most important first. */
  static List<UpgradePoint> of(JobAnswer before, JobAnswer after, JobChange change) {
    if (before.failure().isPresent() || after.failure().isPresent()) {
      return before.isUnknown()
              || after.isUnknown()
              || before.failure().isPresent() == after.failure().isPresent()
          ? List.of()
          : List.of(new UpgradePoint(Topic.START, "NCCL", started(before), started(after)));
    }
    List<UpgradePoint> points = new ArrayList<>();
    ChannelCounts old = before.channels();
    ChannelCounts now = after.channels();
    add(points, Topic.CHANNELS, "collectives", old.collective(), now.collective());
    busbw(change).ifPresent(points::add);
    choice(change).ifPresent(points::add);
    graph(before, after).ifPresent(points::add);
    add(points, Topic.NVLS, "NVLS", old.nvls(), now.nvls());
    add(points, Topic.PEERS, "sends and receives", old.peer(), now.peer());
    add(points, Topic.PEERS, "sends and receives with one peer", old.perPeer(), now.perPeer());
    return points;
  }

  private static String started(JobAnswer answer) {
    return answer.failure().map(failure -> "fails: " + failure.reason()).orElse("starts");
  }

  private static void add(
      List<UpgradePoint> points, Topic topic, String subject, int before, int after) {
    if (before != after) {
      points.add(new UpgradePoint(topic, subject, String.valueOf(before), String.valueOf(after)));
    }
  }

  /** The largest change predicted by the timing model on both sides. */
  private static Optional<UpgradePoint> busbw(JobChange change) {
    return change
        .mostBusbw()
        .map(
            busbw ->
                new UpgradePoint(
                    Topic.BUSBW,
                    busbw.call().label(),
                    gbps(busbw.beforeGBps()),
                    gbps(busbw.afterGBps())));
  }

  /** The busbw of a call: {@code 12.3 GB/s}. */
  private static String gbps(double value) {
    return QuantityFormat.bandwidth(value) + " GB/s";
  }

  /** The range of sizes that spans most powers of two, the first collective's before others'. */
  private static Optional<UpgradePoint> choice(JobChange change) {
    return change.choices().stream()
        .max(
            Comparator.<ChoiceChange>comparingDouble(
                    choice -> Math.log((double) choice.lastBytes() / choice.firstBytes()))
                .thenComparing(range -> -change.choices().indexOf(range)))
        .map(
            range ->
                new UpgradePoint(
                    Topic.CHOICE,
                    range.collective().label()
                        + " of "
                        + QuantityFormat.sizes(range.firstBytes(), range.lastBytes()),
                    range.before(),
                    range.after()));
  }

  /** The graph whose bandwidth changes most, by channels times bandwidth. */
  private static Optional<UpgradePoint> graph(JobAnswer before, JobAnswer after) {
    List<UpgradePoint> changed = new ArrayList<>();
    double most = 0;
    for (GraphKind kind : List.of(GraphKind.RING, GraphKind.TREE)) {
      ChannelGraph old = of(before, kind);
      ChannelGraph now = of(after, kind);
      double ratio = Math.abs(Math.log(total(now) / total(old)));
      if (ratio > most) {
        most = ratio;
        changed.add(0, new UpgradePoint(Topic.GRAPH, kind.label(), text(old), text(now)));
      }
    }
    return changed.stream().findFirst();
  }

  private static ChannelGraph of(JobAnswer answer, GraphKind kind) {
    return answer.graphs().stream().filter(graph -> graph.kind() == kind).findFirst().orElseThrow();
  }

  private static double total(ChannelGraph graph) {
    return Math.max(1e-3, graph.nChannels() * (double) graph.bwIntra());
  }

  private static String text(ChannelGraph graph) {
    return graph.nChannels() + " x " + QuantityFormat.bandwidth(graph.bwIntra()) + " GB/s";
  }
}
