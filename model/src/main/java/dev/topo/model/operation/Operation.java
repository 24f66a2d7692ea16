package dev.topo.model.operation;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An operation of all ranks of a communicator, as nccl-tests measures it: a tuned {@link
 * Collective}, or a {@link PeerOperation} composed of sends and receives.
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

  /** True if one call or group performs it; a hypercube needs several in sequence. */
  default boolean isOneCall() {
    return true;
  }

  /** True if the size of a call covers all parts of a rank, not one part. */
  boolean dividesSize();

  /** Size divided by time, in GB/s. */
  static double algbwGBps(double bytes, double timeUs) {
    return bytes / timeUs * 1e-3;
  }

  /** The bytes that algbw counts: for a hypercube only the data of the other ranks. */
  default double countedBytes(double bytes, int nRanks) {
    return isOneCall() ? bytes : bytes * (nRanks - 1) / nRanks;
  }

  /** busbw in GB/s: the bandwidth of the hardware, independent of the number of ranks. */
  default double busbwGBps(double bytes, double timeUs, int nRanks) {
    return algbwGBps(countedBytes(bytes, nRanks), timeUs) * busbwFactor(nRanks);
  }

  /**
   * The operation with this name or label, ignoring case, underscores and hyphens, also as a
   * program of nccl-tests or in short: {@code all_reduce_perf}, {@code a2a}, {@code bcast}.
   */
  static Optional<Operation> ofName(String name) {
    String plain = name.toLowerCase(Locale.ROOT).replaceAll("_perf$|[_-]", "");
    String label = Map.of("a2a", "alltoall", "bcast", "broadcast").getOrDefault(plain, plain);
    return all().stream()
        .filter(operation -> operation.label().equalsIgnoreCase(label))
        .findFirst();
  }
}
