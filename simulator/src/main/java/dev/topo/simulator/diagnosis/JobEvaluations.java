package dev.topo.simulator.diagnosis;

import dev.topo.model.graph.NodeGraphs;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.SettingScope;
import dev.topo.model.xml.XmlDocument;
import dev.topo.search.connect.GraphSource;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Evaluates jobs that differ little: the graphs of a machine are searched once for all settings
 * that the search does not follow.
 */
final class JobEvaluations {
  private static final Set<SettingScope> OF_SEARCH =
      Set.of(SettingScope.MACHINE, SettingScope.PATHS, SettingScope.SEARCH);

  /** What the graphs of a job depend on. */
  private record Searched(
      XmlDocument machine, int nodes, Map<String, String> settings, ReleaseRules rules) {}

  private final GraphSource search;
  private final Map<Searched, List<NodeGraphs>> known = new HashMap<>();

  JobEvaluations(GraphSource search) {
    this.search = search;
  }

  /**
   * What NCCL does in a job.
   *
   * @throws dev.topo.model.job.UnusableTopologyException if NCCL would not start
   */
  JobResult evaluate(DiagnosedJob job) {
    Map<String, String> settings = new HashMap<>(job.settings().values());
    settings.keySet().retainAll(job.settings().names(OF_SEARCH));
    List<NodeGraphs> found =
        known.computeIfAbsent(
            new Searched(job.machine(), job.nodes(), settings, job.rules()),
            key -> new ArrayList<>());
    int[] next = {0};
    GraphSource source =
        (domain, all) -> {
          if (next[0] == found.size()) {
            found.add(search.graphs(domain, all));
          }
          return found.get(next[0]++);
        };
    return new JobEvaluator(job.rules().profile(), source)
        .evaluate(
            JobRequest.of(
                    Job.ofEqual(new Machine(job.topology(), job.settings()), job.nodes()),
                    List.of())
                .withGpusPerProcess(job.gpusPerProcess()));
  }
}
