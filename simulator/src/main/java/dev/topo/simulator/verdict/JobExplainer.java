package dev.topo.simulator.verdict;

import dev.topo.model.QuantityFormat;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Call.PeerCall;
import dev.topo.search.explain.BuffersExplainer;
import dev.topo.search.explain.ChannelCountExplainer;
import dev.topo.search.explain.ChoiceExplainer;
import dev.topo.search.explain.DeviceExplainer;
import dev.topo.search.explain.Explanation;
import dev.topo.search.explain.GraphExplainer;
import dev.topo.search.explain.NicExplainer;
import dev.topo.search.explain.PeerExplainer;
import dev.topo.search.kernel.CallPaths;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.tuning.Communicator;
import dev.topo.simulator.variant.TracedCommunicator;
import dev.topo.simulator.variant.TracedCommunicator.TracedNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Explains NCCL's decisions for a call of a job (the choice, the channels, the NICs of sends, the
 * search and the devices) and the lower bound of its time. Caches bounds; not thread-safe.
 */
public final class JobExplainer {
  private final TracedCommunicator traced;
  private final Communicator communicator;
  private final NcclSettings settings;
  private final IntFunction<String> machineOf;
  private @Nullable BoundReporter bounds;

  /** Subjects of explanations, in the order of the answer. */
  public enum Topic {
    /** Algorithm and protocol, or the division of sends and receives. */
    CHOICE,
    /** The least time of any schedule. */
    BOUND,
    /** The number of channels. */
    CHANNELS,
    /** The ports of sends to other nodes. */
    NICS,
    /** The graph search on each kind of node. */
    SEARCH,
    /** GPUDirect and PXN on each kind of node. */
    DEVICES
  }

  /**
   * Creates an explainer for the calls of a communicator.
   *
   * @param machineOf name of the machine of a rank
   */
  public JobExplainer(
      TracedCommunicator traced, NcclSettings settings, IntFunction<String> machineOf) {
    this.traced = traced;
    this.communicator = traced.communicator();
    this.settings = settings;
    this.machineOf = machineOf;
  }

  /** The bound of a call; empty if no link with a known rate limits it. */
  public Optional<BoundReport> bound(Call call) {
    if (bounds == null) {
      bounds = new BoundReporter(traced.predictor());
    }
    return bounds.report(call.operation(), call.sizeBytes());
  }

  /**
   * Explains a call.
   *
   * @param topics requested topics; if empty all, on one node without {@link Topic#NICS}
   * @param kinds kinds of buffers whose paths are explained for a collective
   */
  public List<Explanation> explain(Call call, Set<Topic> topics, List<Buffers> kinds) {
    List<Explanation> explanations = new ArrayList<>();
    if (wants(topics, Topic.CHOICE)) {
      choice(call, kinds, explanations);
    }
    int nRanks = communicator.nRanks();
    if (wants(topics, Topic.BOUND) && nRanks > 1 && call.emptiness(nRanks).isEmpty()) {
      explanations.add(BoundText.explain(bound(call)));
    }
    if (wants(topics, Topic.CHANNELS)) {
      explanations.add(channels());
    }
    if (topics.isEmpty() ? communicator.connection().nNodes() > 1 : topics.contains(Topic.NICS)) {
      explanations.add(new NicExplainer(communicator.connection(), settings).explain());
    }
    for (TracedNodes nodes : traced.nodes()) {
      List<Explanation> ofNodes = ofNodes(nodes, topics);
      explanations.addAll(
          hasSeveralKinds()
              ? ofNodes.stream().map(node -> node.on(place(nodes))).toList()
              : ofNodes);
    }
    return explanations;
  }

  private static boolean wants(Set<Topic> topics, Topic topic) {
    return topics.isEmpty() || topics.contains(topic);
  }

  private void choice(Call call, List<Buffers> kinds, List<Explanation> explanations) {
    if (call instanceof PeerCall peers) {
      explanations.add(new PeerExplainer(communicator.connection()).explain(peers));
    } else if (call instanceof CollectiveCall collective) {
      CallPaths paths = CallPaths.of(communicator);
      kinds.forEach(
          kind -> explanations.add(new BuffersExplainer(paths).explain(collective, kind)));
      explanations.add(new ChoiceExplainer(communicator).explain(collective));
    }
  }

  private Explanation channels() {
    return ChannelCountExplainer.explain(
        communicator,
        traced.nodes().stream()
            .map(
                nodes ->
                    new ChannelCountExplainer.Start(
                        hasSeveralKinds() ? place(nodes) : "a node",
                        nodes.first(),
                        nodes.trace().of(GraphKind.RING)))
            .toList());
  }

  /** The explanations that depend on the kind of node. */
  private List<Explanation> ofNodes(TracedNodes nodes, Set<Topic> topics) {
    List<Explanation> explanations = new ArrayList<>();
    if (wants(topics, Topic.SEARCH)) {
      GraphExplainer graphs = new GraphExplainer(nodes.domain());
      for (GraphKind kind : GraphKind.values()) {
        explanations.add(graphs.explain(kind, nodes.trace().of(kind)));
      }
    }
    if (wants(topics, Topic.DEVICES)) {
      explanations.add(new DeviceExplainer(nodes.domain(), settings).explain());
    }
    return explanations;
  }

  private boolean hasSeveralKinds() {
    return traced.nodes().size() > 1;
  }

  private String place(TracedNodes nodes) {
    int rank = communicator.connection().ranksOf(nodes.first()).get(0);
    return machineOf.apply(rank)
        + (nodes.numbers().size() == 1 ? ", node " : ", nodes ")
        + QuantityFormat.ranges(nodes.numbers());
  }
}
