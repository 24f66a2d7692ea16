package dev.topo.output.graph;

import dev.topo.search.connect.Connection;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The part of a connection that the user selected.
 *
 * @param channels the channels
 * @param ranks the ranks
 * @param whole whether that is all of it
 */
public record Excerpt(List<Integer> channels, List<Integer> ranks, boolean whole) {
  public Excerpt {
    channels = List.copyOf(channels);
    ranks = List.copyOf(ranks);
  }

  /** The given channels and ranks, or all where none are given. */
  public static Excerpt of(Connection connection, List<Integer> channels, List<Integer> ranks) {
    return new Excerpt(
        channels.isEmpty() ? IntStream.range(0, connection.nChannels()).boxed().toList() : channels,
        ranks.isEmpty() ? IntStream.range(0, connection.nRanks()).boxed().toList() : ranks,
        channels.isEmpty() && ranks.isEmpty());
  }
}
