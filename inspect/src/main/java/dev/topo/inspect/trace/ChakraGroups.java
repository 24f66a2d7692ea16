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
 * Completes Chakra traces, which name process groups without listing their ranks. A group is taken
 * to consist of the ranks whose traces have calls of it. The size of some calls follows from the
 * size of the group, because a trace states only the part of one rank.
 */
final class ChakraGroups {
  private ChakraGroups() {}

  /**
   * Returns the traces with the ranks of their groups; unchanged if some trace is not from Chakra.
   * The ranks of a group with calls of a single rank remain unknown.
   */
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
        .ofBytes(
            kind.bytes() * (statesOnePart(kind.operation()) ? Math.max(1, members.size()) : 1));
  }

  /**
   * True for operations with one part for each rank, of which the trace states the size of a single
   * part.
   */
  private static boolean statesOnePart(Optional<Operation> operation) {
    return operation.equals(Optional.of(Collective.ALL_GATHER))
        || operation.equals(Optional.of(PeerOperation.GATHER));
  }
}
