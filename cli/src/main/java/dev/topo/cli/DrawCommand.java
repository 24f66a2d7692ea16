package dev.topo.cli;

import dev.topo.cli.option.OutputOptions.Format;
import dev.topo.model.Topology;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.search.connect.JobGraphs.DomainGraphs;
import dev.topo.search.path.Domain;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.visualizer.drawing.ChannelRoute;
import dev.topo.visualizer.drawing.HostFold;
import dev.topo.visualizer.structure.Picture;
import dev.topo.visualizer.view.Answer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code topo draw}: the machine and its channels as a picture. */
@Command(
    name = "draw",
    description = "Draws the machine, a channel on it, or a channel between nodes.",
    footer = {
      "",
      "Example: topo draw topologies/dgx-h100.xml -o dgx-h100.svg",
      "Example: topo draw topologies/gb200-tray.xml --nodes 18 --nvlink-domain 18 --pattern ring -o rack.svg",
      "Example: topo draw topologies/dgx-h100.xml --nodes 4 --pattern p2p -o nics.svg"
    })
final class DrawCommand extends JobCommand {
  @Option(
      names = "--format",
      description = "${COMPLETION-CANDIDATES} (default: by the file name of -o, else svg).")
  private DrawFormat format = DrawFormat.svg;

  @Mixin private DrawnChannels channels = new DrawnChannels();

  @Option(
      names = "--on-node",
      paramLabel = "N",
      description =
          "In a job of several nodes, show the machine of this node, counted from 0, instead of the channels between nodes.")
  private @Nullable Integer onNode;

  @Option(
      names = "--unfold",
      description =
          "Draw every host of an NVLink domain; without it equal hosts are drawn once, with their numbers.")
  private boolean unfold;

  private enum DrawFormat implements Format {
    svg,
    png,
    dot,
    mermaid;

    @Override
    public String extension() {
      return this == mermaid ? ".mmd" : Format.super.extension();
    }

    @Override
    public boolean needsItsEnding() {
      return true;
    }
  }

  @Override
  boolean hasTimes() {
    return false;
  }

  @Override
  Answer answer(List<Path> topologyFiles, NcclSettings settings) {
    Picture picture = picture(first(parts(topologyFiles, settings)));
    return switch (format) {
      case svg -> picture.svg();
      case png -> picture.png();
      case dot -> Answer.of(picture.dot().orElseThrow(channels::noGraph).get());
      case mermaid -> Answer.of(picture.mermaid().orElseThrow(channels::noGraph).get());
    };
  }

  private Picture picture(JobPart part) {
    int nNodes = part.job().machines().size();
    if (nNodes > 1 && onNode == null) {
      return channels.between(part, evaluator().connect(part.job(), version().profile()));
    }
    if (channels.isPeers()) {
      throw new SettingException(
          "--pattern p2p: expected a job of several nodes, as with --nodes 2, without --on-node");
    }
    int node = DrawnChannels.index("--on-node", onNode, nNodes);
    return machine(
        nNodes == 1 ? part.title() : part.title() + ", node " + node,
        part.job().machines().get(node),
        nNodes > 1);
  }

  private Picture machine(String name, Machine machine, boolean isJob) {
    if (!channels.isGiven()) {
      return machine(name, machine.withMergedPorts().topology(), Optional.empty());
    }
    List<DomainGraphs> domains = evaluator().graphs(machine, isJob, version().profile());
    Domain domain = domains.get(0).domain();
    if (domains.size() > 1) {
      message(
          "note: only the network connects the %s groups of GPUs; this is the first group"
              .formatted(domains.size()));
    }
    return machine(name, domain.topology(), Optional.of(channels.route(domains.get(0))));
  }

  private Picture machine(String name, Topology topology, Optional<ChannelRoute> route) {
    HostFold fold = unfold ? HostFold.none(topology) : HostFold.of(topology, route);
    return Picture.ofMachine(name, topology, fold, route, channels.number());
  }
}
