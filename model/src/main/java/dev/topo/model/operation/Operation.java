package dev.topo.model.operation;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Something that all ranks of a communicator do together and that nccl-tests can measure: a tuned
 * {@link Collective}, or a {@link PeerOperation} made of sends and receives.
 */
public sealed interface Operation permits Collective, PeerOperation {
  /** All operations: the collectives first. */
  static List<Operation> all() {
    return Stream.<Operation>concat(
            Stream.of(Collective.values()), Stream.of(PeerOperation.values()))
        .toList();
  }

  /** NCCL's name: {@code AllReduce}. */
  String label();

  /** The name of the program in nccl-tests, and in our JSON and CSV: {@code all_reduce}. */
  String ncclTestsName();

  /** {@code busbw / algbw} ({@code nccl-tests:doc/PERFORMANCE.md}). */
  double busbwFactor(int nRanks);

  /** True if ranks make it by one call or group: a hypercube is several, one after the other. */
  default boolean isOneCall() {
    return true;
  }

  /** Size by time, in GB/s. */
  static double algbwGBps(double bytes, double timeUs) {
    return bytes / timeUs * 1e-3;
  }

  /** The bytes of a size that algbw counts: of a hypercube those of the other ranks. */
  default double countedBytes(double bytes, int nRanks) {
    return isOneCall() ? bytes : bytes * (nRanks - 1) / nRanks;
  }

  /** The bandwidth that the hardware carries, which does not depend on the number of ranks. */
  default double busbwGBps(double bytes, double timeUs, int nRanks) {
    return algbwGBps(countedBytes(bytes, nRanks), timeUs) * busbwFactor(nRanks);
  }

  /** The operation with this name or label, in any case, with or without underscores or hyphens. */
  static Optional<Operation> ofName(String name) {
    String plain = name.replace("_", "").replace("-", "");
    return all().stream()
        .filter(operation -> operation.label().equalsIgnoreCase(plain))
        .findFirst();
  }
}
