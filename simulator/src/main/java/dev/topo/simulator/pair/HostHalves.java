package dev.topo.simulator.pair;

import dev.topo.simulator.pair.PairMatrix.Run;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Divides the hosts into two halves with fast pairs inside and slow pairs between them, even if few
 * pairs were measured. A deterministic local search for a maximum cut: starting from a host, each
 * pair places its other host on the same or the opposite side; then hosts change sides as long as
 * more pairs agree. The best result of several starts counts. Each round is linear in the number of
 * pairs.
 */
final class HostHalves {
  /** Least fraction of the hosts in a half; smaller sets are groups. */
  private static final double LEAST_FRACTION = 0.3;

  /** Least fraction of the pairs that must agree with the halves. */
  private static final double LEAST_AGREEING = 0.85;

  private static final int STARTS = 16;

  private final int hosts;
  private final List<Edge> edges;
  private final List<List<Integer>> edgesOfHost = new ArrayList<>();

  /** A pair of hosts, and whether it suggests that they are on the same side. */
  private record Edge(int first, int second, boolean isSame) {
    int other(int host) {
      return first == host ? second : first;
    }

    boolean agrees(int[] side) {
      return isSame == (side[first] == side[second]);
    }
  }

  private HostHalves(int hosts, List<Edge> edges) {
    this.hosts = hosts;
    this.edges = edges.stream().filter(edge -> edge.first != edge.second).toList();
    for (int host = 0; host < hosts; host++) {
      edgesOfHost.add(new ArrayList<>());
    }
    for (int i = 0; i < this.edges.size(); i++) {
      edgesOfHost.get(this.edges.get(i).first).add(i);
      edgesOfHost.get(this.edges.get(i).second).add(i);
    }
  }

  /**
   * Finds the halves with which the rates agree.
   *
   * @param logs logarithms of the rates of the matrix's runs
   * @param threshold logarithm of the rate that separates fast from slow runs
   */
  static Optional<HostPartition> ofRates(PairMatrix matrix, double[] logs, double threshold) {
    return new HostHalves(
            matrix.nHosts(),
            IntStream.range(0, logs.length)
                .mapToObj(i -> edge(matrix.runs().get(i), logs[i] > threshold))
                .toList())
        .best();
  }

  private static Edge edge(Run run, boolean isSame) {
    return new Edge(run.first(), run.second(), isSame);
  }

  /** Finds the halves between which runs fail. */
  static Optional<HostPartition> ofFailures(PairMatrix matrix) {
    return new HostHalves(
            matrix.nHosts(),
            Stream.concat(
                    matrix.runs().stream().map(run -> edge(run, true)),
                    matrix.failed().stream().map(run -> new Edge(run.first(), run.second(), false)))
                .toList())
        .best();
  }

  private Optional<HostPartition> best() {
    int[] best = new int[hosts];
    long most = -1;
    int step = Math.max(1, hosts / STARTS);
    for (int start = 0; start < hosts; start += step) {
      int[] side = sidesFrom(start);
      improve(side);
      long agreeing = edges.stream().filter(edge -> edge.agrees(side)).count();
      if (agreeing > most) {
        most = agreeing;
        best = side;
      }
    }
    int second = Arrays.stream(best).sum();
    int smaller = Math.min(second, hosts - second);
    boolean isGood =
        smaller >= Math.max(2, LEAST_FRACTION * hosts) && most >= LEAST_AGREEING * edges.size();
    return isGood
        ? Optional.of(new HostPartition(Arrays.stream(best).boxed().toList()))
        : Optional.empty();
  }

  /** Places the hosts on the sides (0 or 1) that the pairs suggest, breadth first from a host. */
  private int[] sidesFrom(int start) {
    int[] side = new int[hosts];
    Arrays.fill(side, -1);
    List<Integer> reached = new ArrayList<>(List.of(start));
    side[start] = 0;
    for (int next = 0; next < reached.size(); next++) {
      int host = reached.get(next);
      for (int edge : edgesOfHost.get(host)) {
        int other = edges.get(edge).other(host);
        if (side[other] < 0) {
          side[other] = edges.get(edge).isSame ? side[host] : 1 - side[host];
          reached.add(other);
        }
      }
    }
    for (int host = 0; host < hosts; host++) {
      side[host] = Math.max(0, side[host]);
    }
    return side;
  }

  private void improve(int[] side) {
    boolean isBetter = true;
    for (int round = 0; isBetter && round < hosts; round++) {
      isBetter = false;
      for (int host = 0; host < hosts; host++) {
        int agreeing = 0;
        for (int edge : edgesOfHost.get(host)) {
          agreeing += edges.get(edge).agrees(side) ? 1 : -1;
        }
        if (agreeing < 0) {
          side[host] = 1 - side[host];
          isBetter = true;
        }
      }
    }
  }
}
