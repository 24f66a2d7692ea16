package dev.topo.search.explain;

import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.explain.ChannelCountExplainer.Start;
import dev.topo.search.fixture.SharedGraphs;
import dev.topo.search.path.Domain;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.topology.TopologySource.UnknownElements;
import dev.topo.search.tuning.Communicator;
import java.nio.file.Path;
import java.util.List;

/** A job of equal machines, and explanations of it as text. */
record ExplainedJob(Communicator communicator, NcclSettings settings) {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));

  /** A job of a machine that topo ships. */
  static ExplainedJob of(String machine, int nodes, String... settings) {
    return of(ROOT.resolve("topologies/" + machine + ".xml"), nodes, NcclProfile.DEFAULT, settings);
  }

  static ExplainedJob of(Path file, int nodes, NcclProfile profile, String... settings) {
    NcclSettings parsed = NcclSettings.parse(List.of(settings));
    Machine machine =
        new Machine(
            new TopologyReader(UnknownElements.REJECTED, profile)
                .read(file, GpuSelection.ALL, new Diagnostics()),
            parsed);
    Job job = Job.ofEqual(machine, nodes);
    return new ExplainedJob(Communicator.of(job, SharedGraphs.GRAPHS, profile), parsed);
  }

  Domain domain() {
    return communicator.connection().domain(0);
  }

  private SearchTrace trace() {
    SearchTrace trace = new SearchTrace();
    GraphSearch.findAll(domain(), settings, new Inputs(), trace);
    return trace;
  }

  /** The explanation of a graph. */
  Explanation graph(GraphKind kind) {
    return new GraphExplainer(domain()).explain(kind, trace().of(kind));
  }

  /** The explanation of the number of channels. */
  String channels() {
    Start start = new Start("a node", 0, trace().of(GraphKind.RING));
    return text(ChannelCountExplainer.explain(communicator, List.of(start)));
  }

  /** The explanation of GPUs and ports. */
  String devices() {
    return text(new DeviceExplainer(domain(), settings).explain());
  }

  /** The explanation of the ports of sends. */
  String nics() {
    return text(new NicExplainer(communicator.connection(), settings).explain());
  }

  static String text(Explanation explanation) {
    return explanation.topic() + "\n  " + String.join("\n  ", explanation.sentences());
  }
}
