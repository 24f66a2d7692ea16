package dev.topo.output.graph;

import dev.topo.output.Answer;
import dev.topo.output.JobSummary;
import dev.topo.output.Json;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.Trees;
import java.util.AbstractList;
import java.util.List;

/**
 * Connections as JSON: {@code communicators[]} with their facts and {@code links[]} by channel and
 * rank.
 */
public final class ConnectionJson {
  private record Connect(List<Communicator> communicators) {}

  /** A communicator as it is written. */
  public record Communicator(
      JobSummary job,
      int channels,
      boolean nvls,
      int nvlsChannels,
      boolean collNet,
      int p2pChannels,
      int p2pChannelsPerPeer,
      List<LinkEntry> links) {}

  /** The neighbours of a rank in a channel. */
  public record LinkEntry(
      int channel, int rank, int ringPrev, int ringNext, int treeUp, List<Integer> treeDown) {}

  private ConnectionJson() {}

  /** One communicator; its links are made as they are written. */
  public static Communicator communicator(String title, Connection connection, Excerpt excerpt) {
    return new Communicator(
        JobSummary.of(title, connection),
        connection.nChannels(),
        connection.nvls().isSupported(),
        connection.nvls().channels(0),
        connection.collNet().isPresent(),
        connection.p2pChannels(0).nChannels(),
        connection.p2pChannels(0).nChannelsPerPeer(),
        new Links(connection, excerpt));
  }

  /** The links of all channels and ranks of an excerpt, each made when it is read. */
  private static final class Links extends AbstractList<LinkEntry> {
    private final Connection connection;
    private final Excerpt excerpt;

    Links(Connection connection, Excerpt excerpt) {
      this.connection = connection;
      this.excerpt = excerpt;
    }

    @Override
    public int size() {
      return Math.multiplyExact(excerpt.channels().size(), excerpt.ranks().size());
    }

    @Override
    public LinkEntry get(int index) {
      int ranks = excerpt.ranks().size();
      return links(
          connection, excerpt.channels().get(index / ranks), excerpt.ranks().get(index % ranks));
    }
  }

  private static LinkEntry links(Connection connection, int channel, int rank) {
    Trees.Links tree = connection.trees().links(channel, rank);
    return new LinkEntry(
        channel,
        rank,
        connection.rings().prev(channel, rank),
        connection.rings().next(channel, rank),
        tree.up(),
        List.of(tree.down0(), tree.down1(), tree.down2()));
  }

  /** All communicators of a job. */
  public static Answer of(List<Communicator> communicators) {
    return Json.document("connect", new Connect(communicators));
  }
}
