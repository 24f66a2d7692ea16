package dev.topo.cli.output.graph;

import dev.topo.cli.output.TextTable;
import dev.topo.model.MachineFormat;
import dev.topo.model.PrintfNumber;
import dev.topo.model.Topology;
import dev.topo.model.graph.Channel;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.node.GpuNode;
import dev.topo.model.node.NetNode;
import dev.topo.model.node.NodeId;
import dev.topo.search.verify.GraphLoad;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Graphs as people read them: a line each, their channels below, equal ones folded. */
public final class GraphsText {
  /** The bandwidth NCCL sets if it finds no channels ({@code ncclTopoCompute}). */
  public static final float FALLBACK_BW_GBPS = 0.1f;

  private final FoundGraphs found;
  private final Topology topology;
  private final boolean devsAreUnique;
  private final StringBuilder out = new StringBuilder();

  private GraphsText(FoundGraphs found) {
    this.found = found;
    this.topology = found.domain().topology();
    this.devsAreUnique =
        topology.gpus().stream().map(GpuNode::dev).distinct().count() == topology.gpus().size();
  }

  /** The graphs of a job, one set after the other. */
  public static String of(List<FoundGraphs> sets) {
    StringBuilder text = new StringBuilder();
    for (FoundGraphs found : sets) {
      GraphsText set = new GraphsText(found);
      set.heading();
      set.graphs();
      text.append(text.isEmpty() ? "" : "\n").append(set.out);
    }
    return text.toString();
  }

  private void heading() {
    FoundGraphs.Place place = found.place();
    if (!place.split().isEmpty()) {
      out.append("communicator ").append(place.split()).append(" · ");
    }
    out.append(place.machines()).append(place.nodes().isEmpty() ? "" : ", node " + place.nodes());
    out.append(": ").append(MachineFormat.summary(topology));
    out.append(place.nMachines() == 1 ? ", 1 node" : ", " + place.nMachines() + " nodes")
        .append('\n');
    if (place.groups() > 1) {
      out.append("group ").append(place.group()).append(" of ").append(place.groups());
      out.append(": GPUs ").append(devs()).append("; only the network joins the groups\n");
    }
  }

  private String gpuWord() {
    return devsAreUnique ? "GPU " : "rank ";
  }

  private void graphs() {
    List<ChannelGraph> all = found.graphs().all();
    all.stream().filter(graph -> graph.nChannels() > 0).forEach(this::graph);
    String none =
        all.stream()
            .filter(graph -> graph.nChannels() == 0)
            .map(graph -> graph.kind().label())
            .collect(Collectors.joining(", "));
    if (!none.isEmpty()) {
      out.append("\nnone for       ").append(none).append('\n');
    }
  }

  private String devs() {
    return topology.gpus().stream().map(this::number).collect(Collectors.joining(" "));
  }

  /** A GPU by its device number; by its rank where several hosts number theirs alike. */
  private String number(GpuNode gpu) {
    return String.valueOf(devsAreUnique ? gpu.dev() : gpu.rank());
  }

  private void graph(ChannelGraph graph) {
    out.append('\n').append(String.format(Locale.ROOT, "%-14s ", graph.kind().label()));
    out.append(graph.pattern()).append(", ");
    out.append(graph.nChannels()).append(graph.nChannels() == 1 ? " channel" : " channels");
    out.append(" x ")
        .append(PrintfNumber.general(graph.bwIntra()))
        .append(" GB/s over ")
        .append(graph.typeIntra());
    if (found.domain().crossesNetwork()) {
      out.append(", ")
          .append(PrintfNumber.general(graph.bwInter()))
          .append(" GB/s to the network over ");
      out.append(graph.typeInter())
          .append(graph.crossNic() == 0 ? "" : ", crossNic " + graph.crossNic());
    }
    out.append(" · ").append(limit(graph)).append('\n');
    channels(graph);
  }

  private String limit(ChannelGraph graph) {
    if (graph.bwIntra() == FALLBACK_BW_GBPS) {
      return "no channel fits, GPUs in file order";
    }
    Optional<GraphLoad.LoadedLink> fullest = new GraphLoad(found.domain(), graph).fullest();
    return fullest
        .map(
            loaded ->
                String.format(
                    Locale.ROOT,
                    "fullest link %s %s to %s: %s of %s GB/s",
                    loaded.link().type(),
                    name(loaded.link().from()),
                    name(loaded.link().to()),
                    PrintfNumber.general(loaded.usedGBps()),
                    PrintfNumber.general(loaded.link().bwGBps())))
        .orElse("no link is used");
  }

  private String name(int node) {
    if (topology.node(node) instanceof GpuNode gpu) {
      return gpuWord() + number(gpu);
    }
    if (topology.node(node) instanceof NetNode net) {
      return portName(net);
    }
    return topology.node(node).label();
  }

  private static String portName(NetNode net) {
    return net.name().isEmpty() ? "NET " + net.dev() : net.name();
  }

  private void channels(ChannelGraph graph) {
    if (graph.kind() == GraphKind.NVLS && !found.domain().crossesNetwork()) {
      String heads =
          graph.channels().stream()
              .map(channel -> gpu(channel.ranks().get(0)))
              .collect(Collectors.joining(" "));
      out.append("  channels 0-")
          .append(graph.nChannels() - 1)
          .append("  head " + gpuWord())
          .append(heads)
          .append('\n');
      return;
    }
    List<Channel> channels = graph.channels();
    List<Channel> distinct = channels.stream().distinct().toList();
    List<List<String>> rows = new ArrayList<>();
    for (Channel channel : distinct) {
      rows.add(List.of("  " + positions(channels, channel), route(graph.kind(), channel)));
    }
    TextTable.append(out, rows);
  }

  /** The positions of a channel: {@code channels 0-2,6-8}. */
  private static String positions(List<Channel> channels, Channel wanted) {
    List<String> ranges = new ArrayList<>();
    int count = 0;
    for (int c = 0; c < channels.size(); c++) {
      if (!channels.get(c).equals(wanted)) {
        continue;
      }
      int first = c;
      while (c + 1 < channels.size() && channels.get(c + 1).equals(wanted)) {
        c++;
      }
      count += c - first + 1;
      ranges.add(first == c ? String.valueOf(c) : first + "-" + c);
    }
    return (count == 1 ? "channel " : "channels ") + String.join(",", ranges);
  }

  private String route(GraphKind kind, Channel channel) {
    List<String> stops = new ArrayList<>();
    channel.nets().ifPresent(nets -> stops.add(port(nets.in())));
    List<Integer> ranks = kind == GraphKind.NVLS ? channel.ranks().subList(0, 1) : channel.ranks();
    String gpus = ranks.stream().map(this::gpu).collect(Collectors.joining(" "));
    stops.add((kind == GraphKind.NVLS ? "head " : "") + gpuWord() + gpus);
    channel.nets().ifPresent(nets -> stops.add(port(nets.out())));
    return String.join(" > ", stops);
  }

  private String gpu(int rank) {
    return topology.gpus().stream()
        .filter(gpu -> gpu.rank() == rank)
        .map(this::number)
        .findFirst()
        .orElse("?");
  }

  private String port(NodeId id) {
    return topology.nets().stream()
        .filter(net -> net.id().equals(id))
        .map(GraphsText::portName)
        .findFirst()
        .orElse("NET " + id);
  }
}
