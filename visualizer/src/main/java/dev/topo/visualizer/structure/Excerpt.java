package dev.topo.visualizer.structure;

import dev.topo.search.connect.Connection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The part of a connection that the user selected.
 *
 * @param connection the whole
 * @param only the channels, or none for all; those that a part does not have are left out
 * @param ranks the ranks
 */
public record Excerpt(Connection connection, SortedSet<Integer> only, List<Integer> ranks) {
  public Excerpt {
    only = new TreeSet<>(only);
    ranks = List.copyOf(ranks);
  }

  /** The given channels and ranks, or all where none are given. */
  public static Excerpt of(
      Connection connection, SortedSet<Integer> channels, SortedSet<Integer> ranks) {
    return new Excerpt(
        connection, channels, ranks.isEmpty() ? numbers(connection.nRanks()) : List.copyOf(ranks));
  }

  private static List<Integer> numbers(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  /** True if some ranks are left out. */
  public boolean isOfSomeRanks() {
    return ranks.size() < connection.nRanks();
  }

  /** The channels of a part. */
  public List<Integer> channels(ConnectPart part) {
    int count = part.channels(connection);
    return only.isEmpty() ? numbers(count) : List.copyOf(only.headSet(count));
  }
}
