package dev.topo.visualizer.serve;

import dev.topo.model.Topology;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.variant.EditedJob.Communicators;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Known facts of a job before its edits, and of the last edits: another edit, a drawn channel or a
 * file needs only what is not here. Of one question at a time, because predictions remember what
 * they have added up.
 */
final class JobState {
  /** Edits that are kept: one asks about the same again, or undoes the last. */
  private static final int MOST_EDITS = 4;

  private final Map<Asked, EvaluatedQuestion> evaluated = RecentMap.of(MOST_EDITS);
  private final Map<XmlElement, Map<NcclProfile, Topology>> topologies = new IdentityHashMap<>();
  private Optional<XmlDocument> document = Optional.empty();
  private Optional<List<Communicators>> before = Optional.empty();

  /** Facts that determine the job before its edits. */
  record Key(
      String machine,
      int nodes,
      List<PageQuestion.Others> others,
      int domain,
      Optional<String> split,
      Optional<String> release,
      List<String> settings,
      Optional<String> network) {
    static Key of(PageQuestion question) {
      return new Key(
          question.machine(),
          question.nodes(),
          question.others(),
          question.domain(),
          question.split(),
          question.release(),
          question.settings(),
          question.network());
    }
  }

  /** Facts that determine the rest of an answer, but for the channel that is drawn. */
  private record Asked(
      List<String> edits, Optional<Integer> editedNodes, Object operation, String sizes) {}

  /** The machine before the edits. */
  XmlDocument document(Supplier<XmlDocument> made) {
    XmlDocument known = document.orElseGet(made);
    document = Optional.of(known);
    return known;
  }

  /** The topology of a machine by some rules. Of edited ones only the last is kept. */
  Topology topology(
      XmlDocument machine, NcclProfile profile, Function<XmlDocument, Topology> made) {
    XmlElement root = machine.root();
    if (!topologies.containsKey(root)) {
      topologies
          .keySet()
          .removeIf(other -> document.filter(edited -> edited.root() == other).isEmpty());
    }
    Map<NcclProfile, Topology> known =
        topologies.computeIfAbsent(root, first -> new IdentityHashMap<>());
    Topology topology =
        Optional.ofNullable(known.get(profile)).orElseGet(() -> made.apply(machine));
    known.put(profile, topology);
    return topology;
  }

  /** The communicators of the job before the edits. */
  List<Communicators> before(Supplier<List<Communicators>> made) {
    List<Communicators> known = before.orElseGet(made);
    before = Optional.of(known);
    return known;
  }

  /** The answer to a question of this job. */
  EvaluatedQuestion evaluated(PageQuestion question, Supplier<EvaluatedQuestion> made) {
    Asked key =
        new Asked(question.edits(), question.editedNodes(), question.operation(), question.sizes());
    EvaluatedQuestion known =
        Optional.ofNullable(evaluated.get(key)).orElseGet(made).asking(question);
    evaluated.put(key, known);
    return known;
  }
}
