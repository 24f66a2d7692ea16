package dev.topo.cli.output.graph;

import dev.topo.cli.output.Answer;
import dev.topo.cli.output.Json;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.Trees;
import java.util.ArrayList;
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
    List<Map<String, Object>> links = new ArrayList<>();
    for (int channel : excerpt.channels()) {
      for (int rank : excerpt.ranks()) {
        Trees.Links up = connection.trees().links(channel, rank);
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("channel", channel);
        entry.put("rank", rank);
        entry.put("ringPrev", connection.rings().prev(channel, rank));
        entry.put("ringNext", connection.rings().next(channel, rank));
        entry.put("treeUp", up.up());
        entry.put("treeDown", List.of(up.down0(), up.down1(), up.down2()));
        links.add(entry);
      }
    }
    tree.put("links", links);
    return Answer.of(Json.write(tree));
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
