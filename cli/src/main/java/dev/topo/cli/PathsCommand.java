package dev.topo.cli;

import dev.topo.model.Topology;
import dev.topo.model.job.Machine.MachineName;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.visualizer.structure.PathsJson;
import dev.topo.visualizer.structure.PathsText;
import dev.topo.visualizer.view.Answer;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code topo paths}: the path between every two devices. */
@Command(
    name = "paths",
    description = "The path that NCCL uses between every two devices: type, bandwidth, hops.",
    footer = {"", "Example: topo paths topologies/dgx-1v.xml --env NCCL_NVB_DISABLE=1"})
final class PathsCommand extends MachineCommand {
  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}).")
  private TableFormat format = TableFormat.text;

  @Override
  Answer answer(List<Path> topologyFiles, NcclSettings settings) {
    Path file = topologyFiles.get(0);
    String name = MachineName.of(file);
    Topology topology = topology(file);
    caveats().addMachine(file, topology, settings);
    // As in a job on several nodes: some versions remove the ports from a job on one node.
    List<Domain> domains = DomainFinder.find(topology, settings, true, version().profile());
    return switch (format) {
      case text -> Answer.of(PathsText.matrix(name, domains));
      case tsv -> Answer.of(PathsText.tsv(domains));
      case json -> PathsJson.of(name, domains);
    };
  }
}
