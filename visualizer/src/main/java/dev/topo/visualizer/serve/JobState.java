package dev.topo.visualizer.serve;

import dev.topo.model.RecentMap;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologySource;
import dev.topo.search.topology.TopologySource.UnknownElements;
import dev.topo.simulator.variant.Communicators;
import dev.topo.simulator.variant.WhatIfOutcome;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Caches the results of a job before its edits and after the most recent edits, so that another
 * edit, drawn channel or file computes only what is new. Used by one question at a time, because
 * predictors cache as well.
 */
final class JobState {
  /** Number of edit lists whose results are kept, for repeated questions and undone edits. */
  private static final int MAX_RESULTS = 4;

  private final Map<List<Object>, EvaluatedQuestion> evaluated = RecentMap.of(MAX_RESULTS);
  private final Map<XmlElement, Map<NcclProfile, Topology>> topologies = new IdentityHashMap<>();
  private Optional<XmlDocument> unedited = Optional.empty();
  private Optional<List<Communicators<WhatIfOutcome>>> before = Optional.empty();

  /** The machine before the edits, computed on first use. */
  XmlDocument document(Supplier<XmlDocument> compute) {
    XmlDocument known = unedited.orElseGet(compute);
    unedited = Optional.of(known);
    return known;
  }

  /** The topology of a machine by some rules. Of edited machines, only the last is kept. */
  Topology topology(XmlElement root, NcclProfile profile) {
    if (!topologies.containsKey(root)) {
      topologies
          .keySet()
          .removeIf(other -> unedited.filter(machine -> machine.root() == other).isEmpty());
    }
    Map<NcclProfile, Topology> known =
        topologies.computeIfAbsent(root, first -> new IdentityHashMap<>());
    Topology topology =
        Optional.ofNullable(known.get(profile))
            .orElseGet(() -> built(root, GpuSelection.ALL, profile));
    known.put(profile, topology);
    return topology;
  }

  /** Builds the topology of some GPUs of a machine. */
  static Topology built(XmlElement system, GpuSelection gpus, NcclProfile profile) {
    return TopologySource.build(system, UnknownElements.REJECTED, gpus, profile, new Diagnostics());
  }

  /** The communicators of the job before the edits, computed on first use. */
  List<Communicators<WhatIfOutcome>> before(Supplier<List<Communicators<WhatIfOutcome>>> compute) {
    List<Communicators<WhatIfOutcome>> known = before.orElseGet(compute);
    before = Optional.of(known);
    return known;
  }

  /**
   * Returns the result for a question about this job, computing it if needed.
   *
   * @param machines the number of machines that pages have had so far
   */
  EvaluatedQuestion evaluated(
      PageQuestion question, int machines, Supplier<EvaluatedQuestion> compute) {
    // Everything except the drawn channel. The number of machines is included because an edit can
    // name any of them.
    List<Object> key =
        List.of(
            question.edits(),
            question.editedNodes(),
            question.operation(),
            question.sizes(),
            machines);
    EvaluatedQuestion known =
        Optional.ofNullable(evaluated.get(key)).orElseGet(compute).asking(question);
    evaluated.put(key, known);
    return known;
  }
}
