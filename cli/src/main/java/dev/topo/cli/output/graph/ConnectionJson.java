package dev.topo.cli.output.graph;

import dev.topo.cli.output.Answer;
import dev.topo.cli.output.Json;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.Trees;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Connections as JSON: {@code communicators[]} with their facts and {@code links[]} by channel and
 * rank.
 */
public final class ConnectionJson {
  private ConnectionJson() {}

  /** One communicator. */
  public static Answer of(String title, Connection connection, Excerpt excerpt) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("machines", title);
    tree.put("nRanks", connection.nRanks());
    tree.put("nNodes", connection.nNodes());
    tree.put("nChannels", connection.nChannels());
    tree.put("nvls", connection.nvls().isSupported());
    tree.put("nvlsChannels", connection.nvls().channels(0));
    tree.put("collNet", connection.collNet().isPresent());
    tree.put("p2pChannels", connection.p2pChannels(0).nChannels());
    tree.put("p2pChannelsPerPeer", connection.p2pChannels(0).nChannelsPerPeer());
    Iterable<Map<String, Object>> links =
        () ->
            excerpt.channels().stream()
                .flatMap(
                    channel ->
                        excerpt.ranks().stream().map(rank -> links(connection, channel, rank)))
                .iterator();
    tree.put("links", links);
    return Json.answer(tree);
  }

  private static Map<String, Object> links(Connection connection, int channel, int rank) {
    Trees.Links tree = connection.trees().links(channel, rank);
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("channel", channel);
    entry.put("rank", rank);
    entry.put("ringPrev", connection.rings().prev(channel, rank));
    entry.put("ringNext", connection.rings().next(channel, rank));
    entry.put("treeUp", tree.up());
    entry.put("treeDown", List.of(tree.down0(), tree.down1(), tree.down2()));
    return entry;
  }

  /** All communicators of a job. */
  public static Answer list(List<Answer> communicators) {
    return out -> {
      out.append("{\n\"communicators\" : [\n");
      Answer.join(communicators, ",\n").writeTo(out);
      out.append("]\n}\n");
    };
  }
}
