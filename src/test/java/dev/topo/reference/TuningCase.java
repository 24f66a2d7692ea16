package dev.topo.reference;

import dev.topo.model.Topology;
import dev.topo.model.collective.Protocol;
import dev.topo.model.graph.NodeGraphs;
import dev.topo.model.graph.Pattern;
import dev.topo.model.node.GpuNode;
import dev.topo.model.path.Domain;
import dev.topo.model.path.DomainFinder;
import dev.topo.model.settings.NcclSettings;
import dev.topo.search.GraphSearch;
import dev.topo.search.peer.BufferSizes;
import dev.topo.search.peer.P2pChannels;
import dev.topo.search.tuning.CollectiveCall;
import dev.topo.search.tuning.CommFacts;
import dev.topo.search.tuning.Estimate;
import dev.topo.search.tuning.Tuner;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** A job of equal machines whose tuning NCCL's own code has answered. */
final class TuningCase {
  private final NcclSettings settings;
  private final TuningAnswers answers;
  private final Domain domain;
  private final CommFacts facts;
  private final Tuner tuner;

  /**
   * A case.
   *
   * @param graphs the graphs that the first domain has found
   * @param machines number of machines
   */
  TuningCase(
      Topology topology,
      NodeGraphs graphs,
      TuningAnswers answers,
      int machines,
      NcclSettings settings) {
    this.settings = settings;
    this.answers = answers;
    List<Domain> domains = DomainFinder.find(topology, settings, machines > 1);
    this.domain = domains.get(0);
    List<Integer> localRanks = new ArrayList<>();
    for (int m = 0; m < machines; m++) {
      domains.forEach(d -> localRanks.add(d.topology().gpus().size()));
    }
    this.facts =
        new CommFacts(
            localRanks,
            topology.minSm().orElseThrow(),
            topology.gpus().stream().mapToInt(GpuNode::sm).max().orElseThrow(),
            CommFacts.Cpu.of(List.of(topology.firstCpu())),
            answers.number("nChannels"),
            answers.number("nvlsSupport") != 0,
            answers.number("nvlsChannels"),
            Optional.empty(),
            answers.number("isAllNvlink") != 0,
            domain.topology().hasNvSwitch(),
            Pattern.ofNumber(answers.number("maxTreePattern")),
            aligned(graphs, domains, settings));
    this.tuner = new Tuner(facts, settings);
  }

  /** The graphs of one domain are in a file; those of the others are searched for. */
  private static NodeGraphs aligned(
      NodeGraphs ofFirst, List<Domain> domains, NcclSettings settings) {
    List<NodeGraphs> graphs = new ArrayList<>(List.of(ofFirst));
    domains.stream().skip(1).forEach(d -> graphs.add(GraphSearch.findAll(d, settings)));
    return AlignedGraphs.of(graphs);
  }

  /** What our answers are not equal to, one text for each line. */
  List<String> differences() {
    List<String> differences = new ArrayList<>();
    header(differences);
    for (TuningAnswers.Threads t : answers.threads()) {
      compare(
          differences,
          t,
          new TuningAnswers.Threads(
              t.algorithm(),
              t.protocol(),
              tuner.threadLimits().maxThreads(t.algorithm(), t.protocol()),
              tuner.threadLimits().thresholdBytes(t.algorithm(), t.protocol())));
    }
    for (TuningAnswers.Model m : answers.model()) {
      compare(
          differences,
          m,
          new TuningAnswers.Model(
              m.collective(),
              m.algorithm(),
              m.protocol(),
              tuner.model().bandwidthGBps(m.collective(), m.algorithm(), m.protocol()),
              tuner.model().latencyUs(m.collective(), m.algorithm(), m.protocol())));
    }
    for (TuningAnswers.Call c : answers.choices()) {
      CollectiveCall call = CollectiveCall.of(c.collective(), c.sizeBytes());
      List<Estimate> estimates = tuner.estimates(call);
      compare(
          differences,
          c,
          new TuningAnswers.Call(
              c.collective(), c.sizeBytes(), tuner.decide(call).choice(), estimates));
    }
    return differences;
  }

  private void header(List<String> differences) {
    P2pChannels p2p = P2pChannels.of(domain, facts.nRanks(), facts.nChannels(), settings, 64);
    BufferSizes buffers = BufferSizes.of(settings, facts.nNodes() > 1, facts.allNvlink());
    compareHeader(differences, "nRanks", facts.nRanks());
    compareHeader(differences, "nNodes", facts.nNodes());
    compareHeader(
        differences,
        "localRanks",
        Collections.min(facts.localRanks()) + ".." + facts.maxLocalRanks());
    compareHeader(differences, "minCompCap", facts.minSm());
    compareHeader(differences, "maxCompCap", facts.maxSm());
    compareHeader(differences, "cpuArch", facts.cpu().arch().orElseThrow().number());
    compareHeader(differences, "cpuVendor", facts.cpu().vendor().orElseThrow().number());
    compareHeader(differences, "collnet", 0);
    compareHeader(differences, "p2pChannels", p2p.nChannels());
    compareHeader(differences, "p2pChannelsPerPeer", p2p.nChannelsPerPeer());
    compareHeader(differences, "p2pChunkSize", buffers.p2pChunk());
    compareHeader(
        differences,
        "buffSizes",
        buffers.of(Protocol.LL)
            + "/"
            + buffers.of(Protocol.LL128)
            + "/"
            + buffers.of(Protocol.SIMPLE));
  }

  private void compareHeader(List<String> differences, String name, Object actual) {
    compare(differences, name + " " + answers.header().get(name), name + " " + actual);
  }

  private static void compare(List<String> differences, Object expected, Object actual) {
    if (!expected.equals(actual)) {
      differences.add("expected " + expected + "\n     was " + actual);
    }
  }
}
