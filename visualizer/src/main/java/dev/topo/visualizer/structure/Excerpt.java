package dev.topo.visualizer.structure;

import dev.topo.search.connect.Connection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The channels and ranks of a connection that the user selected.
 *
 * @param connection the whole connection
 * @param only the selected channels; empty for all. Channels that a part does not have are ignored.
 * @param ranks the selected ranks
 */
public record Excerpt(Connection connection, SortedSet<Integer> only, List<Integer> ranks) {
  public Excerpt {
    only = new TreeSet<>(only);
    ranks = List.copyOf(ranks);
  }

  /** Selects the given channels and ranks; an empty set selects all. */
  public static Excerpt of(
      Connection connection, SortedSet<Integer> channels, SortedSet<Integer> ranks) {
    return new Excerpt(
        connection, channels, ranks.isEmpty() ? numbers(connection.nRanks()) : List.copyOf(ranks));
  }

  private static List<Integer> numbers(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  /** True if only some of the ranks are selected. */
  public boolean isOfSomeRanks() {
    return ranks.size() < connection.nRanks();
  }

  /** The selected channels that a part has. */
  public List<Integer> channels(ConnectPart part) {
    int count = part.channels(connection);
    return only.isEmpty() ? numbers(count) : List.copyOf(only.headSet(count));
  }
}
