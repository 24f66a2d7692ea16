package dev.topo.search.transfer;

import dev.topo.model.Last;
import dev.topo.model.operation.Call.PeerCall;
import dev.topo.search.connect.Connection;
import dev.topo.search.path.Domain;
import dev.topo.search.path.Transport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.ToIntFunction;

/**
 * Tabulates the transfers of operations by transport. Rows show the maximum over the first and last
 * ranks of the first two of each kind of equal nodes; rank 0 is the root. Not thread-safe.
 */
public final class TransferTable {
  private static final int ROOT = 0;
  private static final Comparator<Transfer> LARGEST = Comparator.comparingInt(Transfer::nChannels);

  private final int nRanks;
  private final PeerPlanner planner;
  private final TreeSet<Integer> ranks = new TreeSet<>();

  public TransferTable(Connection connection) {
    this.nRanks = connection.nRanks();
    this.planner = new PeerPlanner(connection);
    Map<Domain, Integer> kinds = new HashMap<>();
    for (int node = 0; node < connection.nNodes(); node++) {
      if (kinds.merge(connection.domain(node), 1, Integer::sum) <= 2) {
        List<Integer> local = connection.ranksOf(node);
        ranks.add(local.get(0));
        ranks.add(Last.of(local));
      }
    }
  }

  /**
   * Checks the transfers of a call.
   *
   * @throws dev.topo.model.job.SettingException if NCCL cannot divide them
   * @throws IllegalArgumentException for HyperCube, which is several calls
   */
  public void requireDivisible(PeerCall request) {
    long bytes = request.wholeBytes(nRanks);
    if (bytes > 0) {
      Traffic traffic = Traffic.of(request.operation(), bytes, nRanks, ROOT);
      ranks.forEach(rank -> planner.requireDivisible(rank, traffic));
    }
  }

  /**
   * Returns a row for each transport, nearest first. Copies within a GPU have a row only if there
   * is no other transport. Empty if the call has no element.
   *
   * @throws IllegalArgumentException for HyperCube, which is several calls
   */
  public List<TransferRow> rows(PeerCall request) {
    long bytes = request.wholeBytes(nRanks);
    if (bytes == 0) {
      return List.of();
    }
    Traffic traffic = Traffic.of(request.operation(), bytes, nRanks, ROOT);
    List<TransferPlan> calls = ranks.stream().map(rank -> planner.call(rank, traffic)).toList();
    Map<Transport, Transfer> largest = new EnumMap<>(Transport.class);
    calls.stream()
        .flatMap(call -> call.rounds().stream())
        .flatMap(PeerRound::transfers)
        .forEach(
            transfer ->
                largest.merge(
                    transfer.transport(), transfer, (a, b) -> LARGEST.compare(a, b) >= 0 ? a : b));
    if (largest.size() > 1) {
      largest.remove(Transport.COPY);
    }
    List<TransferRow> rows = new ArrayList<>();
    largest.forEach(
        (transport, transfer) ->
            rows.add(
                new TransferRow(
                    request.operation(),
                    request.sizeBytes(),
                    transfer.bytes(),
                    transport,
                    transfer.protocol(),
                    transfer.nChannels(),
                    transfer.chunkBytes(),
                    max(calls, kernel -> kernel.channels().size()),
                    max(calls, PeerKernel::threads),
                    calls.stream().mapToInt(call -> call.kernels().size()).max().orElse(0),
                    calls.stream().mapToInt(call -> call.rounds().size()).max().orElse(0))));
    return rows;
  }

  private static int max(List<TransferPlan> calls, ToIntFunction<PeerKernel> number) {
    return calls.stream().flatMap(call -> call.kernels().stream()).mapToInt(number).max().orElse(0);
  }
}
