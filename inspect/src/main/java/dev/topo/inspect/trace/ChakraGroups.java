package dev.topo.inspect.trace;

import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Ranks of the process groups of Chakra traces, which contain only their names: the ranks whose
 * traces have calls of the group. Sizes of calls follow from them, as a trace has a rank's
 * contribution to a call.
 */
final class ChakraGroups {
  private ChakraGroups() {}

  /** Completes traces with the ranks of groups, if at least two Chakra traces have calls of one. */
  static List<RankTrace> of(List<RankTrace> traces) {
    Map<String, Set<Integer>> ranks = new HashMap<>();
    for (RankTrace trace : traces) {
      if (!trace.notes().contains(ChakraFile.NOTE)) {
        return traces;
      }
      for (CallKind kind : trace.kinds()) {
        ranks
            .computeIfAbsent(kind.group().name(), name -> new TreeSet<>())
            .add(trace.rank().orElse(0));
      }
    }
    return traces.stream()
        .map(
            trace ->
                trace.withKinds(
                    kind -> withRanks(kind, ranks.getOrDefault(kind.group().name(), Set.of()))))
        .toList();
  }

  private static CallKind withRanks(CallKind kind, Set<Integer> ranks) {
    List<Integer> members = ranks.size() > 1 ? List.copyOf(ranks) : List.of();
    return kind.in(new ProcessGroup(kind.group().name(), "", members))
        .ofBytes(kind.bytes() * (isOfPart(kind.operation()) ? Math.max(1, members.size()) : 1));
  }

  /** True if a rank contributes one of as many parts as there are ranks. */
  private static boolean isOfPart(Optional<Operation> operation) {
    return operation.equals(Optional.of(Collective.ALL_GATHER))
        || operation.equals(Optional.of(PeerOperation.GATHER));
  }
}
