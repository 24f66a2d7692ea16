package dev.topo.output.graph;

import dev.topo.output.Answer;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.Trees;

/**
 * Neighbours of every rank in every channel: {@code channel rank ring_prev ring_next tree_up
 * tree_down0 …}.
 */
public final class ConnectionTsv {
  private ConnectionTsv() {}

  /**
   * A line for each channel and rank, with tabs between.
   *
   * @param split whether the job is split: then the communicator's colours come first in each line
   * @param label the colours of the communicator
   * @param withNames whether a line with the names of the columns comes first
   */
  public static Answer of(
      Connection connection, Excerpt excerpt, boolean split, String label, boolean withNames) {
    return out -> {
      if (withNames) {
        out.append(split ? "split\t" : "");
        out.append(
            "channel\trank\tring_prev\tring_next\ttree_up\ttree_down0\ttree_down1\ttree_down2\n");
      }
      for (int channel : excerpt.channels()) {
        for (int rank : excerpt.ranks()) {
          Trees.Links tree = connection.trees().links(channel, rank);
          int prev = connection.rings().prev(channel, rank);
          int next = connection.rings().next(channel, rank);
          out.append(split ? label + "\t" : "").append(channel + "\t" + rank + "\t");
          out.append(prev + "\t" + next + "\t" + tree.up() + "\t" + tree.down0() + "\t");
          out.append(tree.down1() + "\t" + tree.down2() + "\n");
        }
      }
    };
  }
}
