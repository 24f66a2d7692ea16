package dev.topo.visualizer.serve;

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
 * Results of a job before its edits and after the last edits, so that another edit, another drawn
 * channel or a file computes only the rest. Used by one question at a time, because predictors
 * cache.
 */
final class JobState {
  /** The number of edits whose results are kept, for repeated questions and undone edits. */
  private static final int MOST_EDITS = 4;

  private final Map<List<Object>, EvaluatedQuestion> evaluated = RecentMap.of(MOST_EDITS);
  private final Map<XmlElement, Map<NcclProfile, Topology>> topologies = new IdentityHashMap<>();
  private Optional<XmlDocument> document = Optional.empty();
  private Optional<List<Communicators<WhatIfOutcome>>> before = Optional.empty();

  /** The machine before the edits. */
  XmlDocument document(Supplier<XmlDocument> made) {
    XmlDocument known = document.orElseGet(made);
    document = Optional.of(known);
    return known;
  }

  /** The topology of a machine by some rules. Of edited machines only the last is kept. */
  Topology topology(XmlElement root, NcclProfile profile) {
    if (!topologies.containsKey(root)) {
      topologies
          .keySet()
          .removeIf(other -> document.filter(edited -> edited.root() == other).isEmpty());
    }
    Map<NcclProfile, Topology> known =
        topologies.computeIfAbsent(root, first -> new IdentityHashMap<>());
    Topology topology =
        Optional.ofNullable(known.get(profile))
            .orElseGet(() -> built(root, GpuSelection.ALL, profile));
    known.put(profile, topology);
    return topology;
  }

  /** The topology of some GPUs of a machine. */
  static Topology built(XmlElement system, GpuSelection gpus, NcclProfile profile) {
    return TopologySource.build(system, UnknownElements.REJECTED, gpus, profile, new Diagnostics());
  }

  /** The communicators of the job before the edits. */
  List<Communicators<WhatIfOutcome>> before(Supplier<List<Communicators<WhatIfOutcome>>> made) {
    List<Communicators<WhatIfOutcome>> known = before.orElseGet(made);
    before = Optional.of(known);
    return known;
  }

  /**
   * The answer to a question of this job.
   *
   * @param machines number of machines that pages have had so far
   */
  EvaluatedQuestion evaluated(
      PageQuestion question, int machines, Supplier<EvaluatedQuestion> made) {
    // But for the channel that is drawn; an edit names a machine among those that there are.
    List<Object> key =
        List.of(
            question.edits(),
            question.editedNodes(),
            question.operation(),
            question.sizes(),
            machines);
    EvaluatedQuestion known =
        Optional.ofNullable(evaluated.get(key)).orElseGet(made).asking(question);
    evaluated.put(key, known);
    return known;
  }
}
