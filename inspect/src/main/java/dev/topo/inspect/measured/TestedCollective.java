package dev.topo.inspect.measured;

import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import java.util.Optional;

/** Finds the operation that a program of nccl-tests measures: {@code all_reduce_perf}. */
final class TestedCollective {
  private TestedCollective() {}

  /** Collective of a program, with or without its folder. */
  static Optional<Collective> of(String program) {
    return Collective.ofName(plain(program));
  }

  /** True if a program only sends and receives. */
  static boolean isPeerToPeer(String program) {
    return peer(program).isPresent();
  }

  /** Operation of a program that only sends and receives. */
  static Optional<PeerOperation> peer(String program) {
    return Operation.ofName(plain(program))
        .filter(PeerOperation.class::isInstance)
        .map(PeerOperation.class::cast);
  }

  private static String plain(String program) {
    String name = program.strip();
    return name.substring(name.lastIndexOf('/') + 1).replaceFirst("_perf(_mpi|_gin|_lsa)?$", "");
  }
}
