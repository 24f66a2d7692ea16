package dev.topo.search.explain;

import dev.topo.model.Topology;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.connect.Connection;
import dev.topo.search.path.Domain;
import dev.topo.search.rules.SearchRules;
import java.util.List;

/**
 * Explains why a job has no NVLS channels, by the requirement that the first node without such
 * channels does not meet ({@code ncclNvlsInit}, {@code nccl:src/transport/nvls.cc}, and {@code
 * ncclTopoCompute}, {@code nccl:src/graph/search.cc}). NVLS requires channels on every node.
 */
public final class NvlsAbsence {
  private NvlsAbsence() {}

  /** The unmet requirement; if all are met, that the search found no channels. */
  public static String reason(Connection connection, NcclSettings settings) {
    if (settings.nvlsEnable() == 0) {
      return "NCCL_NVLS_ENABLE=0 switches NVLS off";
    }
    int unsupported =
        connection
            .kindNodes()
            .filter(node -> connection.searchedGraphs(node).get(GraphKind.NVLS).nChannels() == 0)
            .findFirst()
            .orElse(0);
    String who = who(connection, unsupported);
    Topology topology = connection.domain(unsupported).topology();
    SearchRules rules = connection.profile().search();
    int gpus = topology.gpus().size();
    if (gpus < rules.nvlsMinGpus) {
      return "NVLS needs %s or more GPUs of the job on a node, %s has %s"
          .formatted(word(rules.nvlsMinGpus), who, word(gpus));
    }
    if (!topology.hasNvSwitch()) {
      return "NVLS needs an NVSwitch, " + who + " has none";
    }
    int sm = topology.minSm().orElseThrow();
    return sm < rules.nvlsSm
        ? "NVLS needs GPUs of sm " + rules.nvlsSm + " or newer, " + who + " has sm " + sm
        : "the search finds no NVLS channels, " + who + " has room for none";
  }

  /** A number from 0 to 3 as a word. */
  static String word(int number) {
    return List.of("no", "one", "two", "three").get(number);
  }

  /** Names a node in a sentence: {@code this node}, {@code each node here} or {@code node 3}. */
  static String who(Connection connection, int node) {
    if (connection.nNodes() == 1) {
      return "this node";
    }
    Domain domain = connection.domain(node);
    boolean areEqual = connection.nodeNumbers().allMatch(n -> connection.domain(n) == domain);
    return areEqual ? "each node here" : "node " + node;
  }
}
