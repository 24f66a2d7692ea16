package dev.topo.search.explain;

import dev.topo.model.Link.PathType;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.QuantityFormat;
import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.GraphKind.Pattern;
import dev.topo.model.io.TextWriter;
import dev.topo.model.job.Job;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.search.engine.GraphLoad;
import dev.topo.search.engine.GraphSearch.GraphFileSource;
import dev.topo.search.path.Domain;
import dev.topo.search.path.Paths;
import dev.topo.search.rules.PathRules;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.Tuner.Decision;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Explains the cost of an alternative to NCCL's behaviour that the user names, or the rule that
 * forbids it.
 */
public final class Alternatives {
  private final Communicator communicator;
  private final Function<Job, Communicator> jobs;
  private final Domain domain;
  private final NodeGraphs graphs;

  /**
   * Alternatives to NCCL's decisions for a communicator, on the node of rank 0.
   *
   * @param jobs searches, connects and tunes a job under the same rules
   */
  public Alternatives(Communicator communicator, Function<Job, Communicator> jobs) {
    this.communicator = communicator;
    this.jobs = jobs;
    this.domain = communicator.connection().domain(0);
    this.graphs = communicator.connection().searchedGraphs(0);
  }

  /**
   * The effect of another setting on the graphs and on the choice for a call.
   *
   * @param title the alternative as the user wrote it
   * @param setting the NCCL setting that selects it
   */
  public Explanation setting(String title, Map<String, String> setting, CollectiveCall call) {
    Job job = communicator.job();
    NcclSettings added = NcclSettings.of(setting);
    Communicator changed = jobs.apply(job.withSettings(settings -> settings.with(added)));
    List<String> sentences = new ArrayList<>();
    int before = communicator.connection().nChannels();
    int after = changed.connection().nChannels();
    sentences.add(
        new TreeMap<>(setting)
                .entrySet().stream()
                    .map(Map.Entry::toString)
                    .collect(Collectors.joining(" ", "With ", ", "))
            + choices(call, communicator.tuner().decide(call), changed.tuner().decide(call))
            + (before == after ? "." : "; %s channels instead of %s.".formatted(after, before)));
    GraphFileSource.file(job.settings())
        .ifPresent(
            file -> sentences.add("  channels in " + file + " (NCCL_GRAPH_FILE) are not searched"));
    portChange(changed.connection().domain(0)).ifPresent(sentences::add);
    for (GraphKind kind : GraphKind.values()) {
      graphChange(graphs.get(kind), changed.connection().searchedGraphs(0).get(kind))
          .ifPresent(sentences::add);
    }
    if (sentences.size() == 1) {
      sentences.add("  the graphs of the search are unchanged");
    }
    if (before == after) {
      sentences.add("  channels: " + before + ", unchanged");
    }
    return new Explanation("why not " + title, sentences);
  }

  private Optional<String> portChange(Domain changed) {
    List<String> was = ports(domain);
    List<String> is = ports(changed);
    return was.equals(is)
        ? Optional.empty()
        : Optional.of(
            "  ports: %s becomes %s".formatted(String.join(" ", was), String.join(" ", is)));
  }

  private static List<String> ports(Domain domain) {
    return domain.topology().nets().stream().map(NetNode::name).toList();
  }

  private static Optional<String> graphChange(ChannelGraph before, ChannelGraph after) {
    String was = inShort(before);
    String is = inShort(after);
    String label = before.kind().label();
    return was.equals(is)
        ? Optional.empty()
        : Optional.of("  %s graph: %s becomes %s".formatted(label, was, is));
  }

  private static String inShort(ChannelGraph graph) {
    return graph.nChannels() == 0
        ? "none"
        : "%s x %s inside, %s outside, %s/%s, crossNic %s"
            .formatted(
                graph.nChannels(),
                DeviceNames.gbps(graph.bwIntra()),
                DeviceNames.gbps(graph.bwInter()),
                graph.typeIntra(),
                graph.typeInter(),
                graph.crossNic());
  }

  private static String choices(CollectiveCall call, Decision before, Decision after) {
    String what = call.collective().label() + " of " + QuantityFormat.exactSize(call.sizeBytes());
    if (after.choice().isEmpty()) {
      return "NCCL refuses " + what;
    }
    Decision.Choice is = after.choice().get();
    if (before.choice().isEmpty()) {
      return what + ", which NCCL refuses without, runs by " + inShort(is);
    }
    Decision.Choice was = before.choice().get();
    if (is.equals(was)) {
      return what + " runs by " + inShort(was) + " in NCCL's model, unchanged";
    }
    String change = QuantityFormat.change(is.timeUs() / was.timeUs() - 1, 0);
    return "%s runs by %s instead of %s (%s in NCCL's model)"
        .formatted(what, inShort(is), inShort(was), change);
  }

  private static String inShort(Decision.Choice choice) {
    return TextWriter.format(
        "%s/%s with %.1f us",
        choice.algorithm().label(), choice.protocol().label(), choice.timeUs());
  }

  /**
   * A ring in another order of GPUs.
   *
   * @param devs device numbers of all GPUs of the node in the order of the ring
   * @throws IllegalArgumentException if they are not all GPUs of the node, each once
   */
  public Explanation ring(List<Integer> devs) {
    Topology topology = domain.topology();
    List<Integer> places = devs.stream().map(dev -> place(topology, dev)).toList();
    int gpus = topology.gpus().size();
    if (new HashSet<>(places).size() != gpus || places.size() != gpus) {
      throw new IllegalArgumentException(
          "ring %s: expected each of the GPUs %s once"
              .formatted(devs, topology.gpus().stream().map(GpuNode::dev).toList()));
    }
    List<String> sentences = new ArrayList<>();
    sentences.add(farthestHop(places));
    ChannelGraph found = graphs.get(GraphKind.RING);
    List<Integer> ranks = places.stream().map(place -> topology.gpus().get(place).rank()).toList();
    // One ring of 1 GB/s gives the load per GB/s on each link.
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
    Optional<GraphLoad.LoadedLink> narrowest =
        new GraphLoad(domain, unit)
            .fullestFirst().stream().min(Comparator.comparingDouble(Alternatives::rings));
    double limit = narrowest.map(Alternatives::rings).orElse(Double.POSITIVE_INFINITY);
    double foundTogether = found.nChannels() * found.bwIntra();
    narrowest.ifPresent(
        load ->
            sentences.add(
                "All rings in this order together carry at most %s inside the node, limited by %s; NCCL's %s rings carry %s."
                    .formatted(
                        DeviceNames.gbps(limit),
                        DeviceNames.of(topology, load.link()),
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

  /** Number of rings of 1 GB/s that a link carries. */
  private static double rings(GraphLoad.LoadedLink load) {
    return load.link().bwGBps() / load.usedGBps();
  }

  private static int place(Topology topology, int dev) {
    return IntStream.range(0, topology.gpus().size())
        .filter(place -> topology.gpus().get(place).dev() == dev)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no GPU has dev " + dev));
  }

  private String farthestHop(List<Integer> places) {
    Topology topology = domain.topology();
    Paths paths = domain.paths();
    int[] gpus = topology.indexes(NodeType.GPU);
    PathRules rules = domain.profile().paths();
    PathType farthest = PathType.LOC;
    String where = "";
    for (int i = 0; i < places.size(); i++) {
      int from = places.get(i);
      int to = places.get((i + 1) % places.size());
      PathType type = paths.type(gpus[from], gpus[to]);
      if (!rules.isWithin(type, farthest)) {
        farthest = type;
        where =
            "%s to %s (%s)"
                .formatted(
                    DeviceNames.gpu(topology, from),
                    DeviceNames.gpu(topology, to),
                    DeviceNames.gbps(paths.bwGBps(gpus[from], gpus[to])));
      }
    }
    PathType taken = graphs.get(GraphKind.RING).typeIntra();
    return "Its farthest hop is %s from %s; NCCL's rings keep within %s%s."
        .formatted(
            DeviceNames.type(domain, farthest),
            where,
            DeviceNames.type(domain, taken),
            rules.isWithin(farthest, taken)
                ? ""
                : ", and it stops at the nearest type that has channels");
  }

  /** How a GPU reaches a port, and which port it uses first instead. */
  public Explanation port(DeviceExplainer devices, int dev, String portName) {
    Topology topology = domain.topology();
    int gpu = place(topology, dev);
    int net =
        IntStream.range(0, topology.nets().size())
            .filter(n -> isNamed(topology.nets().get(n), portName))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no port is called " + portName));
    int first = domain.paths().localDevices().netFor(gpu, 0);
    String gpuName = DeviceNames.gpu(topology, gpu);
    String netName = DeviceNames.net(topology, net);
    return new Explanation(
        "why not " + netName + " for " + gpuName,
        List.of(
            gpuName + " to " + netName + ": " + devices.reason(gpu, net),
            first == net
                ? "It is the first port of the GPU."
                : "Its first port is %s: %s"
                    .formatted(DeviceNames.net(topology, first), devices.reason(gpu, first))));
  }

  private static boolean isNamed(NetNode net, String name) {
    return net.name().equals(name) || String.valueOf(net.dev()).equals(name);
  }
}
