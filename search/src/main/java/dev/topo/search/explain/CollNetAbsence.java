package dev.topo.search.explain;

import dev.topo.model.Node.NetNode;
import dev.topo.model.QuantityFormat;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.connect.Connection;
import dev.topo.search.rules.ConnectRules;
import java.util.ArrayList;
import java.util.List;

/**
 * Explains why a job has no in-network reduction (CollNet), or no heads for it, by the checks that
 * NCCL makes before and after the search ({@code initTransportsRank}, {@code nccl:src/init.cc}, and
 * {@code ncclTopoSearchRecNet}, {@code nccl:src/graph/search.cc}).
 */
public final class CollNetAbsence {
  private CollNetAbsence() {}

  /**
   * All rules that prevent in-network reduction, in the order of NCCL's checks. Only for jobs
   * without it.
   */
  public static String reason(Connection connection, NcclSettings userSettings) {
    NcclSettings settings = connection.profile().complete(userSettings);
    ConnectRules rules = connection.profile().connect();
    List<String> reasons = new ArrayList<>();
    if (!settings.collNet()) {
      reasons.add("NCCL_COLLNET_ENABLE is not 1");
    }
    int minNodes = settings.integer("NCCL_COLLNET_NODE_THRESHOLD", 0);
    if (connection.nNodes() < minNodes) {
      reasons.add(
          "%s, fewer than NCCL_COLLNET_NODE_THRESHOLD=%s"
              .formatted(QuantityFormat.count(connection.nNodes(), "node"), minNodes));
    }
    // A job of one node has no ports among its devices.
    if (connection.nNodes() > 1) {
      connection
          .kindNodes()
          .filter(
              node ->
                  connection.domain(node).topology().nets().stream().noneMatch(NetNode::collNet))
          .findFirst()
          .ifPresent(
              node ->
                  reasons.add(
                      "no port of %s has in-network reduction (coll=\"1\" in the file)"
                          .formatted(NvlsAbsence.who(connection, node))));
    }
    if (rules.largeNodesPreventChains && connection.maxLocalRanks() > rules.directRanks) {
      reasons.add(
          "more than %s ranks on a node, which NCCL %s does not support"
              .formatted(rules.directRanks, connection.profile()));
    }
    return reasons.isEmpty() ? "the search finds no channels for it" : String.join("; ", reasons);
  }

  /** The reason why a job with in-network reduction has no heads of CollNetDirect. */
  public static String noHeads(Connection connection) {
    int maxRanks = connection.profile().connect().directRanks;
    return connection.maxLocalRanks() > maxRanks
        ? "%s ranks on a node, CollNetDirect takes at most %s"
            .formatted(connection.maxLocalRanks(), maxRanks)
        : "the search finds no channels of the %s graph"
            .formatted(GraphKind.COLLNET_DIRECT.label());
  }
}
