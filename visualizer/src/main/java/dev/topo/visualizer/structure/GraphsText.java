package dev.topo.visualizer.structure;

import dev.topo.model.MachineFormat;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.QuantityFormat;
import dev.topo.model.QuantityFormat.PrintfNumber;
import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Writes graphs as text: a line for each, with its channels below; equal channels share a row. */
public final class GraphsText {
  private static final String UNKNOWN = "?";

  /** Column at which the facts of a graph begin, after its kind. */
  private static final int INDENT = 15;

  /** Rows of channels of all graphs that fit on a screen. */
  private static final int MAX_ROWS = 16;

  /** Rows for each graph if all together do not fit. */
  private static final int SHORTENED_ROWS = 3;

  /** The bandwidth in GB/s that NCCL sets if it finds no channels ({@code ncclTopoCompute}). */
  private static final float FALLBACK_BW_GBPS = 0.1f;

  private final FoundGraphs found;
  private final Topology topology;
  private final boolean devsAreUnique;
  private final boolean isVerbose;
  private final TextWriter out = new TextWriter();

  private GraphsText(FoundGraphs found, boolean isVerbose) {
    this.found = found;
    this.isVerbose = isVerbose;
    this.topology = found.domain().topology();
    this.devsAreUnique =
        topology.gpus().stream().map(GpuNode::dev).distinct().count() == topology.gpus().size();
  }

  /**
   * Returns the graphs of a job, one set after the other.
   *
   * @param isVerbose whether to show every channel instead of the first few of a long list
   */
  public static String of(List<FoundGraphs> sets, boolean isVerbose) {
    StringBuilder text = new StringBuilder();
    for (FoundGraphs found : sets) {
      GraphsText set = new GraphsText(found, isVerbose);
      set.heading();
      set.graphs();
      text.append(text.isEmpty() ? "" : "\n").append(set.out);
    }
    return text.toString();
  }

  private void heading() {
    FoundGraphs.Place place = found.place();
    if (!place.split().isEmpty()) {
      out.add("communicator %s · ", place.split());
    }
    out.line(
        "%s%s: %s, %s",
        place.machines(),
        place.nodes().isEmpty() ? "" : ", node " + place.nodes(),
        MachineFormat.summary(topology),
        QuantityFormat.count(place.nMachines(), "node"));
    if (place.groups() > 1) {
      String devs = QuantityFormat.joined(" ", topology.gpus(), this::number);
      out.line(
          "group %d of %d: GPUs %s; only the network joins the groups",
          place.group(), place.groups(), devs);
    }
  }

  private String gpuWord() {
    return devsAreUnique ? "GPU " : "rank ";
  }

  private void graphs() {
    List<ChannelGraph> graphs = found.graphs().all();
    graphs.stream().filter(graph -> graph.nChannels() > 0).forEach(this::graph);
    String none =
        graphs.stream()
            .filter(graph -> graph.nChannels() == 0)
            .map(graph -> graph.kind().label())
            .collect(Collectors.joining(", "));
    if (!none.isEmpty()) {
      out.line("\nnone for       %s", none);
    }
  }

  /** A GPU by its device number, or by its rank if GPUs of several hosts share device numbers. */
  private String number(GpuNode gpu) {
    return String.valueOf(devsAreUnique ? gpu.dev() : gpu.rank());
  }

  private void graph(ChannelGraph graph) {
    out.line("");
    String network =
        found.domain().crossesNetwork()
            ? ", %s GB/s to the network over %s%s"
                .formatted(
                    PrintfNumber.general(graph.bwInter()),
                    graph.typeInter(),
                    graph.crossNic() == 0 ? "" : ", crossNic " + graph.crossNic())
            : "";
    out.paragraph(
        "%-14s %s, %s x %s GB/s over %s%s · %s"
            .formatted(
                graph.kind().label(),
                graph.pattern(),
                QuantityFormat.count(graph.nChannels(), "channel"),
                PrintfNumber.general(graph.bwIntra()),
                graph.typeIntra(),
                network,
                limit(graph)),
        " ".repeat(INDENT));
    channels(graph);
  }

  /** True if NCCL found no channels and uses the GPUs in file order. */
  public static boolean isFallback(ChannelGraph graph) {
    return graph.bwIntra() == FALLBACK_BW_GBPS;
  }

  private String limit(ChannelGraph graph) {
    if (isFallback(graph)) {
      return "no channel fits, GPUs in file order";
    }
    return MostFilledLink.of(found.domain(), graph)
        .map(
            fullest ->
                TextWriter.format(
                    "fullest link %s: %s of %s GB/s",
                    fullest.name(),
                    PrintfNumber.general(fullest.loaded().usedGBps()),
                    PrintfNumber.general(fullest.loaded().link().bwGBps())))
        .orElse("no link is used");
  }

  /** True if the distinct channels of all graphs together fit on a screen. */
  private boolean isShort() {
    return found.graphs().all().stream()
            .mapToLong(graph -> graph.channels().stream().distinct().count())
            .sum()
        <= MAX_ROWS;
  }

  private void channels(ChannelGraph graph) {
    if (graph.kind() == GraphKind.NVLS && !found.domain().crossesNetwork()) {
      String heads = order(graph.channels().stream().map(one -> one.ranks().get(0)).toList());
      out.line("  channels 0-%d  head %s%s", graph.nChannels() - 1, gpuWord(), heads);
      return;
    }
    List<Channel> channels = graph.channels();
    TextTable table = TextTable.indented();
    List<Channel> different = channels.stream().distinct().toList();
    int shown =
        isVerbose || isShort()
            ? ShownChannels.rows(different.size(), isVerbose)
            : Math.min(different.size(), SHORTENED_ROWS);
    for (Channel channel : different.subList(0, shown)) {
      table.row(positions(channels, channel), route(graph.kind(), channel));
    }
    out.table(table);
    ShownChannels.omitted(out, different.size(), shown);
  }

  /** The positions of all channels equal to {@code wanted}: {@code channels 0-2,6-8}. */
  private static String positions(List<Channel> channels, Channel wanted) {
    List<Integer> positions =
        IntStream.range(0, channels.size())
            .filter(c -> channels.get(c).equals(wanted))
            .boxed()
            .toList();
    return QuantityFormat.ranges("channel", positions);
  }

  private String route(GraphKind kind, Channel channel) {
    List<String> stops = new ArrayList<>();
    channel.nets().ifPresent(nets -> stops.add(port(nets.in())));
    List<Integer> ranks = kind == GraphKind.NVLS ? channel.ranks().subList(0, 1) : channel.ranks();
    stops.add((kind == GraphKind.NVLS ? "head " : "") + gpuWord() + order(ranks));
    channel.nets().ifPresent(nets -> stops.add(port(nets.out())));
    return String.join(" > ", stops);
  }

  /** GPUs in the order of a channel. */
  private String order(List<Integer> ranks) {
    List<String> gpus = ranks.stream().map(this::gpu).toList();
    return gpus.contains(UNKNOWN)
        ? String.join(" ", gpus)
        : ShownChannels.order(gpus.stream().map(Integer::valueOf).toList(), isVerbose);
  }

  private String gpu(int rank) {
    return topology.gpus().stream()
        .filter(gpu -> gpu.rank() == rank)
        .map(this::number)
        .findFirst()
        .orElse(UNKNOWN);
  }

  private String port(NodeId id) {
    return topology.nets().stream()
        .filter(net -> net.id().equals(id))
        .map(net -> net.name().isEmpty() ? "NET " + net.dev() : net.name())
        .findFirst()
        .orElse("NET " + id);
  }
}
