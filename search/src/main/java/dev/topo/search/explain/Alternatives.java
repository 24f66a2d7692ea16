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
 * Explains why NCCL does not use an alternative that the user names: what it would cost, or the
 * rule that forbids it.
 */
public final class Alternatives {
  private final Communicator communicator;
  private final Function<Job, Communicator> evaluator;
  private final Domain domain;
  private final NodeGraphs graphs;

  /**
   * Creates an explainer of alternatives to NCCL's decisions for a communicator. Graphs and devices
   * are those of the node of rank 0.
   *
   * @param evaluator searches, connects and tunes a changed job under the same rules
   */
  public Alternatives(Communicator communicator, Function<Job, Communicator> evaluator) {
    this.communicator = communicator;
    this.evaluator = evaluator;
    this.domain = communicator.connection().domain(0);
    this.graphs = communicator.connection().searchedGraphs(0);
  }

  /**
   * Explains how settings change the graphs, the number of channels and the choice for a call.
   *
   * @param title the alternative as the user wrote it
   * @param setting the NCCL settings that select it
   */
  public Explanation setting(String title, Map<String, String> setting, CollectiveCall call) {
    Job job = communicator.job();
    NcclSettings added = NcclSettings.of(setting);
    Communicator changed = evaluator.apply(job.withSettings(settings -> settings.with(added)));
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
    List<String> oldValue = ports(domain);
    List<String> newValue = ports(changed);
    return oldValue.equals(newValue)
        ? Optional.empty()
        : Optional.of(
            "  ports: %s becomes %s"
                .formatted(String.join(" ", oldValue), String.join(" ", newValue)));
  }

  private static List<String> ports(Domain domain) {
    return domain.topology().nets().stream().map(NetNode::name).toList();
  }

  private static Optional<String> graphChange(ChannelGraph before, ChannelGraph after) {
    String oldValue = summary(before);
    String newValue = summary(after);
    String label = before.kind().label();
    return oldValue.equals(newValue)
        ? Optional.empty()
        : Optional.of("  %s graph: %s becomes %s".formatted(label, oldValue, newValue));
  }

  private static String summary(ChannelGraph graph) {
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
    String callText =
        call.collective().label() + " of " + QuantityFormat.exactSize(call.sizeBytes());
    if (after.choice().isEmpty()) {
      return "NCCL refuses " + callText;
    }
    Decision.Choice newValue = after.choice().get();
    if (before.choice().isEmpty()) {
      return callText + ", which NCCL refuses without, runs by " + summary(newValue);
    }
    Decision.Choice oldValue = before.choice().get();
    if (newValue.equals(oldValue)) {
      return callText + " runs by " + summary(oldValue) + " in NCCL's model, unchanged";
    }
    String change = QuantityFormat.change(newValue.timeUs() / oldValue.timeUs() - 1, 0);
    return "%s runs by %s instead of %s (%s in NCCL's model)"
        .formatted(callText, summary(newValue), summary(oldValue), change);
  }

  private static String summary(Decision.Choice choice) {
    return TextWriter.format("%s with %.1f us", choice.pair().label(), choice.timeUs());
  }

  /**
   * Explains what a ring in another order of GPUs would cost.
   *
   * @param devs device numbers of all GPUs of the node in the order of the ring
   * @throws IllegalArgumentException if they are not all GPUs of the node, each once
   */
  public Explanation ring(List<Integer> devs) {
    Topology topology = domain.topology();
    List<Integer> gpuIndexes = devs.stream().map(dev -> gpuIndex(topology, dev)).toList();
    int gpus = topology.gpus().size();
    if (new HashSet<>(gpuIndexes).size() != gpus || gpuIndexes.size() != gpus) {
      throw new IllegalArgumentException(
          "ring %s: expected each of the GPUs %s once"
              .formatted(devs, topology.gpus().stream().map(GpuNode::dev).toList()));
    }
    List<String> sentences = new ArrayList<>();
    sentences.add(farthestHop(gpuIndexes));
    ChannelGraph found = graphs.get(GraphKind.RING);
    List<Integer> ranks =
        gpuIndexes.stream().map(index -> topology.gpus().get(index).rank()).toList();
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
            .fullestFirst().stream().min(Comparator.comparingDouble(Alternatives::ringGBps));
    double limitGBps = narrowest.map(Alternatives::ringGBps).orElse(Double.POSITIVE_INFINITY);
    double foundGBps = found.nChannels() * found.bwIntra();
    narrowest.ifPresent(
        load ->
            sentences.add(
                "All rings in this order together carry at most %s inside the node, limited by %s; NCCL's %s rings carry %s."
                    .formatted(
                        DeviceNames.gbps(limitGBps),
                        DeviceNames.of(topology, load.link()),
                        found.nChannels(),
                        DeviceNames.gbps(foundGBps))));
    if (limitGBps > foundGBps) {
      sentences.add(
          "It could carry more: NCCL tries only the bandwidths of a fixed list, and GPUs in its own order.");
    }
    sentences.add(
        "To run this ring, write the order into a file made with topo search --format xml and set NCCL_GRAPH_FILE to it.");
    return new Explanation("why not ring " + devs, sentences);
  }

  /** The bandwidth in GB/s of the ring that a link carries, given its load by a ring of 1 GB/s. */
  private static double ringGBps(GraphLoad.LoadedLink load) {
    return load.link().bwGBps() / load.usedGBps();
  }

  /** The index of the GPU with a device number among the GPUs of the topology. */
  private static int gpuIndex(Topology topology, int dev) {
    return IntStream.range(0, topology.gpus().size())
        .filter(index -> topology.gpus().get(index).dev() == dev)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no GPU has dev " + dev));
  }

  private String farthestHop(List<Integer> gpuIndexes) {
    Topology topology = domain.topology();
    Paths paths = domain.paths();
    int[] gpus = topology.indexes(NodeType.GPU);
    PathRules rules = domain.profile().paths();
    PathType farthest = PathType.LOC;
    String hop = "";
    for (int i = 0; i < gpuIndexes.size(); i++) {
      int from = gpuIndexes.get(i);
      int to = gpuIndexes.get((i + 1) % gpuIndexes.size());
      PathType type = paths.type(gpus[from], gpus[to]);
      if (!rules.isWithin(type, farthest)) {
        farthest = type;
        hop =
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
            hop,
            DeviceNames.type(domain, taken),
            rules.isWithin(farthest, taken)
                ? ""
                : ", and it stops at the nearest type that has channels");
  }

  /**
   * Explains how a GPU reaches a port, and which port it uses first instead.
   *
   * @param dev device number of the GPU
   * @param portName name or device number of the port
   */
  public Explanation port(DeviceExplainer devices, int dev, String portName) {
    Topology topology = domain.topology();
    int gpu = gpuIndex(topology, dev);
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
