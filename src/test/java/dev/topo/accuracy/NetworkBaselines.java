package dev.topo.accuracy;

import dev.topo.accuracy.NetworkFits.Band;
import dev.topo.model.Node.NetNode;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.search.connect.Connection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** What simpler predictors say of the times of clusters: to know what the model is worth. */
final class NetworkBaselines {
  /** The part of the line rate that a rule of thumb plans with. */
  private static final double LINE_RATE = 0.85;

  private static final double BYTES_PER_US = 1e3;

  private final Map<String, Double> latencyUs;

  /** With the latency of the small calls of each network. */
  NetworkBaselines(List<ClusterRow> rows) {
    latencyUs =
        rows.stream()
            .filter(row -> Band.of(row) == Band.SMALL)
            .collect(
                Collectors.groupingBy(
                    row -> row.cluster().network(),
                    Collectors.collectingAndThen(
                        Collectors.mapping(row -> row.timeUs() / rounds(row), Collectors.toList()),
                        NetworkBaselines::median)));
  }

  private static double median(List<Double> all) {
    return all.stream().sorted(Comparator.naturalOrder()).toList().get(all.size() / 2);
  }

  /** NCCL's own cost model; empty for sends and receives. */
  OptionalDouble nccl(ClusterRow row) {
    return row.ncclUs();
  }

  /**
   * A latency for each round of a tree, of the median of all small calls of the network, and the
   * line rate of the ports of a node.
   */
  OptionalDouble alphaBeta(ClusterRow row) {
    Double round = latencyUs.get(row.cluster().network());
    return round == null
        ? OptionalDouble.empty()
        : OptionalDouble.of(round * rounds(row) + portsUs(row));
  }

  /** 85 of 100 parts of the line rate of the ports of a node. */
  OptionalDouble lineRate(ClusterRow row) {
    return OptionalDouble.of(portsUs(row) / LINE_RATE);
  }

  private static double rounds(ClusterRow row) {
    return 2 * Math.ceil(Math.log(row.nodes()) / Math.log(2));
  }

  /** What the ports of a node take for what a bandwidth-optimal algorithm sends over them. */
  private static double portsUs(ClusterRow row) {
    Connection connection = row.connection();
    double gbps =
        connection.domain(0).topology().nets().stream().mapToDouble(NetNode::bwGBps).sum();
    return sent(row.operation(), connection) * row.bytes() / (gbps * BYTES_PER_US);
  }

  /** Bytes that leave a domain for one byte of a call, as nccl-tests counts it. */
  private static double sent(Operation operation, Connection connection) {
    double ranks = connection.nRanks();
    double local = connection.maxLocalRanks();
    if (operation instanceof Collective collective) {
      double once = (ranks - 1) / ranks;
      return switch (collective) {
        case ALL_REDUCE -> 2 * once;
        case ALL_GATHER, REDUCE_SCATTER -> once;
        case BROADCAST, REDUCE -> 1;
      };
    }
    return operation == PeerOperation.ALLTOALL ? local * (ranks - local) / ranks : 1;
  }
}
