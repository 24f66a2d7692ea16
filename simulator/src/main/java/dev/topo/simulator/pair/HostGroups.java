package dev.topo.simulator.pair;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jgrapht.Graph;
import org.jgrapht.alg.connectivity.ConnectivityInspector;
import org.jgrapht.graph.DefaultEdge;

/**
 * Proposes groups of hosts that are fast among themselves and slow to the others, as hosts behind
 * one switch are. The candidates are the components of the graph of healthy pairs, the hosts with a
 * healthy pair to a given host, and the accused hosts with about the same slowdown.
 */
record HostGroups(PairMatrix matrix, PairFit fit) {
  /**
   * A run that is slower than its level by more than this many standard deviations of the noise is
   * slow.
   */
  private static final double SLOW_SIGMAS = 2.5;

  private static final int FEWEST_HOSTS = 5;

  private static final int FEWEST_STRAYS = 3;

  /** Difference of slowdowns, as logarithms, below which accused hosts may be one group. */
  private static final double ALIKE_DEPTHS = 0.03;

  List<Suspect> suspects() {
    int n = matrix.nHosts();
    if (n < FEWEST_HOSTS) {
      return List.of();
    }
    Set<Set<Integer>> groups = new LinkedHashSet<>();
    Graph<Integer, DefaultEdge> healthy = healthy();
    new ConnectivityInspector<>(healthy).connectedSets().forEach(set -> add(groups, set));
    int[] strays = new int[n];
    for (int i = 0; i < matrix.runs().size(); i++) {
      if (fit.isStray(i)) {
        strays[matrix.runs().get(i).first()]++;
        strays[matrix.runs().get(i).second()]++;
      }
    }
    for (int host = 0; host < n; host++) {
      if (strays[host] < FEWEST_STRAYS) {
        continue;
      }
      Set<Integer> near = new TreeSet<>(Set.of(host));
      for (DefaultEdge edge : healthy.edgesOf(host)) {
        near.add(healthy.getEdgeSource(edge));
        near.add(healthy.getEdgeTarget(edge));
      }
      add(groups, near);
    }
    accusedAlike(groups);
    // If few pairs were measured, there may be groups that no run leaves.
    return groups.stream()
        .map(group -> SuspectList.group(matrix, group))
        .filter(suspect -> suspect.runs().length > 0)
        .toList();
  }

  private Graph<Integer, DefaultEdge> healthy() {
    return matrix.graph(run -> fit.deviation(run) > -SLOW_SIGMAS * fit.noise());
  }

  private void accusedAlike(Set<Set<Integer>> groups) {
    for (int i = 0; i < fit.accused().size(); i++) {
      Set<Integer> similarHosts = new TreeSet<>();
      for (int j = 0; j < fit.accused().size(); j++) {
        if (fit.accused().get(j).kind() == PairCause.Kind.HOST
            && Math.abs(fit.depth(i) - fit.depth(j)) < ALIKE_DEPTHS) {
          similarHosts.add(matrix.hosts().indexOf(fit.accused().get(j).names().get(0)));
        }
      }
      add(groups, similarHosts);
    }
  }

  /** Adds a group or the other hosts, whichever are fewer; single hosts are suspects anyway. */
  private void add(Set<Set<Integer>> groups, Collection<Integer> members) {
    Set<Integer> group = new TreeSet<>(members);
    if (group.size() > matrix.nHosts() / 2) {
      group.clear();
      for (int host = 0; host < matrix.nHosts(); host++) {
        if (!members.contains(host)) {
          group.add(host);
        }
      }
    }
    if (group.size() > 1) {
      groups.add(group);
    }
  }
}
