package dev.topo.simulator.measured;

import dev.topo.model.operation.Collective;
import java.util.Optional;
import java.util.Set;

/** Understands how nccl-tests calls what it tests: {@code all_reduce_perf}. */
public final class TestedCollective {
  /** Tests that only send and receive, for which NCCL has no choice of algorithm. */
  private static final Set<String> PEER_TO_PEER =
      Set.of("sendrecv", "alltoall", "alltoallv", "gather", "scatter", "hypercube");

  private TestedCollective() {}

  /** The collective of a program, with or without its folder. */
  public static Optional<Collective> of(String program) {
    return Collective.ofLabel(plain(program).replace("_", ""));
  }

  /** Whether a program only sends and receives. */
  public static boolean isPeerToPeer(String program) {
    return PEER_TO_PEER.contains(plain(program));
  }

  private static String plain(String program) {
    return program.strip().replaceFirst(".*/", "").replaceFirst("_perf(_mpi|_gin|_lsa)?$", "");
  }
}
