package dev.topo.search.explain;

import dev.topo.model.Topology;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.connect.Connection;
import dev.topo.search.path.Domain;
import dev.topo.search.rules.SearchRules;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Why a job has no NVLS channels: the requirement that the first node without them does not meet
 * ({@code ncclNvlsInit}, {@code nccl:src/transport/nvls.cc}, and {@code ncclTopoCompute}, {@code
 * nccl:src/graph/search.cc}). One node without them is enough.
 */
public final class NvlsAbsence {
  private NvlsAbsence() {}

  /** The reason; if no rule forbids NVLS, that the search found no channels. */
  public static String reason(Connection connection, NcclSettings settings) {
    if (settings.nvlsEnable() == 0) {
      return "NCCL_NVLS_ENABLE=0 switches NVLS off";
    }
    int without =
        connection
            .kindNodes()
            .filter(node -> connection.searchedGraphs(node).get(GraphKind.NVLS).nChannels() == 0)
            .findFirst()
            .orElse(0);
    String who = who(connection, without);
    Topology topology = connection.domain(without).topology();
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

  static String word(int few) {
    return List.of("no", "one", "two", "three").get(few);
  }

  static String who(Connection connection, int node) {
    if (connection.nNodes() == 1) {
      return "this node";
    }
    Domain domain = connection.domain(node);
    boolean alike =
        IntStream.range(0, connection.nNodes()).allMatch(n -> connection.domain(n) == domain);
    return alike ? "each node here" : "node " + node;
  }
}
