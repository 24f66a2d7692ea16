package dev.topo.search.explain;

import dev.topo.model.Link;
import dev.topo.model.PathType;
import dev.topo.model.QuantityFormat;
import dev.topo.model.Topology;
import dev.topo.model.graph.Channel;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.NodeGraphs;
import dev.topo.model.graph.Pattern;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.node.GpuNode;
import dev.topo.model.node.NodeType;
import dev.topo.model.settings.NcclSettings;
import dev.topo.search.communicator.Communicator;
import dev.topo.search.cost.CollectiveCall;
import dev.topo.search.graph.GraphFileSource;
import dev.topo.search.launch.Decision;
import dev.topo.search.path.Domain;
import dev.topo.search.path.Paths;
import dev.topo.search.verify.GraphLoad;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What an alternative that the user names would have cost instead of what NCCL does, or which rule
 * forbids it.
 */
public final class Alternatives {
  private final Communicator communicator;
  private final Domain domain;
  private final NodeGraphs graphs;

  /** Alternatives to what NCCL does for a communicator, as the node of rank 0 sees it. */
  public Alternatives(Communicator communicator) {
    this.communicator = communicator;
    this.domain = communicator.connection().domain(0);
    this.graphs = communicator.connection().searchedGraphs(0);
  }

  /**
   * The same job under another setting: what it changes in the graphs and in the choice for a call.
   *
   * @param title the alternative as the user wrote it
   * @param setting the NCCL setting that selects it
   */
  public Explanation setting(String title, Map<String, String> setting, CollectiveCall call) {
    Job job = communicator.job();
    List<Machine> machines = new ArrayList<>();
    for (Machine machine : job.machines()) {
      machines.add(
          new Machine(machine.topology(), machine.settings().with(NcclSettings.of(setting))));
    }
    Communicator other = Communicator.of(new Job(machines));
    List<String> sentences = new ArrayList<>();
    sentences.add("With " + text(setting) + ":");
    GraphFileSource.file(job.machines().get(0).settings())
        .ifPresent(
            file -> sentences.add("  channels in " + file + " (NCCL_GRAPH_FILE) are not searched"));
    for (GraphKind kind : GraphKind.values()) {
      graphChange(graphs.get(kind), other.connection().searchedGraphs(0).get(kind))
          .ifPresent(sentences::add);
    }
    if (sentences.size() == 1) {
      sentences.add("  the graphs of the search are unchanged");
    }
    int before = communicator.connection().nChannels();
    int after = other.connection().nChannels();
    sentences.add(
        "  channels: " + before + (before == after ? ", unchanged" : " becomes " + after));
    sentences.add(
        "  " + choices(call, communicator.tuner().decide(call), other.tuner().decide(call)));
    return new Explanation("why not " + title, sentences);
  }

  private static String text(Map<String, String> setting) {
    return String.join(
        " ",
        setting.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(e -> e.getKey() + "=" + e.getValue())
            .toList());
  }

  private static Optional<String> graphChange(ChannelGraph before, ChannelGraph after) {
    String was = inShort(before);
    String is = inShort(after);
    return was.equals(is)
        ? Optional.empty()
        : Optional.of("  " + before.kind().label() + " graph: " + was + " becomes " + is);
  }

  private static String inShort(ChannelGraph graph) {
    return graph.nChannels() == 0
        ? "none"
        : String.format(
            Locale.ROOT,
            "%d x %s inside, %s outside, %s/%s, crossNic %d",
            graph.nChannels(),
            DeviceNames.gbps(graph.bwIntra()),
            DeviceNames.gbps(graph.bwInter()),
            graph.typeIntra(),
            graph.typeInter(),
            graph.crossNic());
  }

  private static String choices(CollectiveCall call, Decision before, Decision after) {
    String what = call.collective().label() + " of " + call.sizeBytes() + " bytes: ";
    if (before.choice().isEmpty() || after.choice().isEmpty()) {
      return what
          + (after.choice().isEmpty()
              ? "NCCL refuses the call"
              : "NCCL refuses the call without the setting, not with it");
    }
    Decision.Choice was = before.choice().get();
    Decision.Choice is = after.choice().get();
    if (is.equals(was)) {
      return String.format(
          Locale.ROOT,
          "%s%s/%s with %.1f us in NCCL's model, unchanged",
          what,
          was.algorithm().label(),
          was.protocol().label(),
          was.timeUs());
    }
    return String.format(
        Locale.ROOT,
        "%s%s/%s with %.1f us becomes %s/%s with %.1f us (%s in NCCL's model)",
        what,
        was.algorithm().label(),
        was.protocol().label(),
        was.timeUs(),
        is.algorithm().label(),
        is.protocol().label(),
        is.timeUs(),
        QuantityFormat.change(is.timeUs() / was.timeUs() - 1, 0));
  }

  /**
   * A ring in another order of GPUs.
   *
   * @param devs device numbers of all GPUs of the node in the order of the ring
   * @throws IllegalArgumentException if they are not all GPUs of the node, each once
   */
  public Explanation ring(List<Integer> devs) {
    Topology topology = domain.topology();
    List<Integer> places = new ArrayList<>();
    for (int dev : devs) {
      places.add(place(topology, dev));
    }
    if (new HashSet<>(places).size() != topology.gpus().size()
        || places.size() != topology.gpus().size()) {
      throw new IllegalArgumentException(
          "ring "
              + devs
              + ": expected each of the GPUs "
              + topology.gpus().stream().map(GpuNode::dev).toList()
              + " once");
    }
    List<String> sentences = new ArrayList<>();
    farthestHop(places, sentences);
    ChannelGraph found = graphs.get(GraphKind.RING);
    List<Integer> ranks = places.stream().map(place -> topology.gpus().get(place).rank()).toList();
    // One ring of 1 GB/s shows what a GB/s costs on each link.
    ChannelGraph unit =
        new ChannelGraph(
            GraphKind.RING,
            Pattern.RING,
            0,
            1,
            0,
            0,
            PathType.SYS,
            PathType.SYS,
            true,
            List.of(new Channel(ranks, Optional.empty())));
    double together = Double.POSITIVE_INFINITY;
    Optional<Link> narrowest = Optional.empty();
    for (GraphLoad.LoadedLink load : new GraphLoad(domain, unit).fullestFirst()) {
      if (load.link().bwGBps() / load.usedGBps() < together) {
        together = load.link().bwGBps() / load.usedGBps();
        narrowest = Optional.of(load.link());
      }
    }
    double foundTogether = found.nChannels() * found.bwIntra();
    double limit = together;
    narrowest.ifPresent(
        link ->
            sentences.add(
                String.format(
                    Locale.ROOT,
                    "All rings in this order together carry at most %s inside the node, limited by %s %s to %s; NCCL's %d rings carry %s.",
                    DeviceNames.gbps(limit),
                    link.type(),
                    DeviceNames.of(topology.node(link.from())),
                    DeviceNames.of(topology.node(link.to())),
                    found.nChannels(),
                    DeviceNames.gbps(foundTogether))));
    if (limit > foundTogether) {
      sentences.add(
          "It could carry more: NCCL tries only the bandwidths of a fixed list, and GPUs in its own order.");
    }
    sentences.add(
        "To run this ring, write the order into a file made with topo search --format xml and set NCCL_GRAPH_FILE to it.");
    return new Explanation("why not ring " + devs, sentences);
  }

  private static int place(Topology topology, int dev) {
    for (int place = 0; place < topology.gpus().size(); place++) {
      if (topology.gpus().get(place).dev() == dev) {
        return place;
      }
    }
    throw new IllegalArgumentException("no GPU has dev " + dev);
  }

  private void farthestHop(List<Integer> places, List<String> sentences) {
    Topology topology = domain.topology();
    Paths paths = domain.paths();
    int[] gpus = topology.indexes(NodeType.GPU);
    PathType farthest = PathType.LOC;
    String where = "";
    for (int i = 0; i < places.size(); i++) {
      int from = places.get(i);
      int to = places.get((i + 1) % places.size());
      PathType type = paths.type(gpus[from], gpus[to]);
      if (!type.isWithin(farthest)) {
        farthest = type;
        where =
            DeviceNames.gpu(topology, from)
                + " to "
                + DeviceNames.gpu(topology, to)
                + " ("
                + DeviceNames.gbps(paths.bwGBps(gpus[from], gpus[to]))
                + ")";
      }
    }
    PathType taken = graphs.get(GraphKind.RING).typeIntra();
    sentences.add(
        "Its farthest hop is "
            + DeviceNames.type(farthest)
            + " from "
            + where
            + "; NCCL's rings keep within "
            + DeviceNames.type(taken)
            + (farthest.isWithin(taken)
                ? "."
                : ", and it stops at the nearest type that has channels."));
  }

  /** How a GPU reaches a port, and which port it uses first instead. */
  public Explanation port(DeviceExplainer devices, int dev, String portName) {
    Topology topology = domain.topology();
    int gpu = place(topology, dev);
    for (int net = 0; net < topology.nets().size(); net++) {
      boolean named =
          topology.nets().get(net).name().equals(portName)
              || String.valueOf(topology.nets().get(net).dev()).equals(portName);
      if (named) {
        int first = domain.paths().localDevices().netFor(gpu, 0);
        List<String> sentences = new ArrayList<>();
        sentences.add(
            DeviceNames.gpu(topology, gpu)
                + " to "
                + DeviceNames.net(topology, net)
                + ": "
                + devices.reason(gpu, net));
        sentences.add(
            first == net
                ? "It is the first port of the GPU."
                : "Its first port is "
                    + DeviceNames.net(topology, first)
                    + ": "
                    + devices.reason(gpu, first));
        return new Explanation(
            "why not " + DeviceNames.net(topology, net) + " for " + DeviceNames.gpu(topology, gpu),
            sentences);
      }
    }
    throw new IllegalArgumentException("no port is called " + portName);
  }
}
