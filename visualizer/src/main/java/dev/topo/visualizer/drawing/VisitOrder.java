package dev.topo.visualizer.drawing;

import dev.topo.model.Alike;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.QuantityFormat;
import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.GraphKind.Pattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The order in which a channel of an NVLink domain visits the hosts and their GPUs.
 *
 * @param graph the graph of the channel
 * @param channels channels with this order
 * @param in the port where it enters the domain, if it does
 * @param visits the visited hosts in order; a host occurs each time the channel enters it
 * @param out the port where it leaves the domain
 */
public record VisitOrder(
    ChannelGraph graph,
    List<Integer> channels,
    Optional<String> in,
    List<Visit> visits,
    Optional<String> out) {
  public VisitOrder {
    channels = List.copyOf(channels);
    visits = List.copyOf(visits);
  }

  /**
   * Consecutive GPUs of a host.
   *
   * @param host number of the host
   * @param gpus device numbers of the GPUs, in order
   */
  public record Visit(int host, List<Integer> gpus) {
    public Visit {
      gpus = List.copyOf(gpus);
    }

    /** The GPUs as text. */
    String devs() {
      return QuantityFormat.joined(" ", gpus, String::valueOf);
    }
  }

  /** True if the GPUs of a channel have no order, because one of them, the head, works for all. */
  public static boolean isStar(ChannelGraph graph) {
    return graph.kind() == GraphKind.NVLS || graph.pattern() == Pattern.COLLNET_DIRECT;
  }

  /**
   * Returns the orders of all channels of a graph, combining equal ones. If GPUs have no order,
   * returns one order with the heads of all channels.
   */
  public static List<VisitOrder> all(Topology topology, ChannelGraph graph) {
    if (isStar(graph)) {
      return List.of(of(topology, graph, IntStream.range(0, graph.nChannels()).boxed().toList()));
    }
    return Alike.by(graph.nChannels(), graph.channels()::get).values().stream()
        .map(channels -> of(topology, graph, channels))
        .toList();
  }

  /** Returns the order of one channel; only its head if GPUs have no order. */
  public static VisitOrder of(Topology topology, ChannelGraph graph, int channel) {
    return of(topology, graph, List.of(channel));
  }

  private static VisitOrder of(Topology topology, ChannelGraph graph, List<Integer> channels) {
    if (isStar(graph)) {
      List<Integer> heads =
          channels.stream().map(one -> graph.channels().get(one).ranks().get(0)).toList();
      return new VisitOrder(
          graph, channels, Optional.empty(), visits(topology, heads), Optional.empty());
    }
    Channel channel = graph.channels().get(channels.get(0));
    return new VisitOrder(
        graph,
        channels,
        channel.nets().map(nets -> PortName.of(topology, nets.in())),
        visits(topology, channel.ranks()),
        channel.nets().map(nets -> PortName.of(topology, nets.out())));
  }

  private static List<Visit> visits(Topology topology, List<Integer> ranks) {
    Map<Integer, GpuNode> gpus = new HashMap<>();
    topology.gpus().forEach(gpu -> gpus.put(gpu.rank(), gpu));
    List<Visit> visits = new ArrayList<>();
    List<Integer> devs = new ArrayList<>();
    for (int i = 0; i < ranks.size(); i++) {
      GpuNode gpu = Objects.requireNonNull(gpus.get(ranks.get(i)));
      int host = gpu.systemId();
      devs.add(gpu.dev());
      boolean isLast =
          i + 1 == ranks.size()
              || Objects.requireNonNull(gpus.get(ranks.get(i + 1))).systemId() != host;
      if (isLast) {
        visits.add(new Visit(host, devs));
        devs = new ArrayList<>();
      }
    }
    return visits;
  }

  /** True if the channel returns to where it began. */
  public boolean isClosed() {
    return graph.pattern() == Pattern.RING && in.isEmpty() && visits.size() > 1;
  }

  /** True if GPUs have no order. */
  public boolean isStar() {
    return isStar(graph);
  }

  /** Names the graph and the channels. */
  public String title() {
    return graph.kind().label()
        + (isStar() ? ", heads of " : ", ")
        + QuantityFormat.ranges("channel", channels);
  }

  /** Describes the order: {@code host 0: 3 → hosts 1 to 17, each 0 1 2 3 → host 0: 0 1 2}. */
  public String text() {
    List<String> stops = new ArrayList<>();
    in.ifPresent(stops::add);
    for (int from = 0; from < visits.size(); ) {
      int to = endOfRun(from);
      stops.add(
          to - from > 1
              ? "hosts %s to %s, each %s"
                  .formatted(
                      visits.get(from).host(), visits.get(to).host(), visits.get(from).devs())
              : "host " + visits.get(from).host() + ": " + visits.get(from).devs());
      from = to - from > 1 ? to + 1 : from + 1;
    }
    out.ifPresent(stops::add);
    if (isClosed()) {
      stops.add("host " + visits.get(0).host());
    }
    return String.join(isStar() ? ", " : " → ", stops);
  }

  /**
   * The last of the visits, starting at {@code from}, that go from host to host in order and to the
   * same GPUs of each.
   */
  private int endOfRun(int from) {
    Visit first = visits.get(from);
    int last = from;
    int step = from + 1 < visits.size() ? visits.get(from + 1).host() - first.host() : 0;
    while (Math.abs(step) == 1
        && last + 1 < visits.size()
        && visits.get(last + 1).host() == visits.get(last).host() + step
        && visits.get(last + 1).gpus().equals(first.gpus())) {
      last++;
    }
    return last;
  }
}
