package dev.topo.inspect.measured;

import dev.topo.inspect.measured.RunReader.RunHints;
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

  /** Operation of a program that only sends and receives. */
  static Optional<PeerOperation> peer(String program) {
    return Operation.ofName(plain(program))
        .filter(PeerOperation.class::isInstance)
        .map(PeerOperation.class::cast);
  }

  /** The operation of sends and receives of a program or, if none is named, of the hints. */
  static Optional<PeerOperation> peer(Optional<String> program, RunHints hints) {
    return program
        .or(() -> hints.operation().map(Operation::label))
        .flatMap(TestedCollective::peer);
  }

  /** The collective of a program or, if that names none, of the hints. */
  static Optional<Collective> collective(Optional<String> program, RunHints hints) {
    return program.or(() -> hints.operation().map(Operation::label)).flatMap(TestedCollective::of);
  }

  private static String plain(String program) {
    String name = program.strip();
    return name.substring(name.lastIndexOf('/') + 1).replaceFirst("_perf(_mpi|_gin|_lsa)?$", "");
  }
}
