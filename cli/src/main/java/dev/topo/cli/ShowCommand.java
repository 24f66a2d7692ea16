package dev.topo.cli;

import dev.topo.model.Topology;
import dev.topo.model.job.Machine.MachineName;
import dev.topo.model.job.NcclSettings;
import dev.topo.visualizer.structure.MachineJson;
import dev.topo.visualizer.structure.MachineText;
import dev.topo.visualizer.view.Answer;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code topo show}: the machine as a tree. */
@Command(
    name = "show",
    description = "The machine as NCCL sees it: a tree with link types and bandwidths.",
    footer = {"", "Example: topo show topologies/dgx-h100.xml"})
final class ShowCommand extends MachineCommand {
  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}).")
  private TextOrJson format = TextOrJson.text;

  @Override
  Answer answer(List<Path> topologyFiles, NcclSettings settings) {
    Path file = topologyFiles.get(0);
    Topology topology = topology(file);
    caveats().addMachine(file, topology, settings);
    String name = MachineName.of(file);
    Topology seen = topology.seen(settings.nicMerging(), settings.hcas());
    return format == TextOrJson.json
        ? MachineJson.of(name, seen)
        : Answer.of(MachineText.of(name, seen));
  }
}
