package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.model.Topology;
import dev.topo.model.job.Machine;
import dev.topo.search.connect.JobGraphs.DomainGraphs;
import dev.topo.search.path.Domain;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.visualizer.chart.PngWriter;
import dev.topo.visualizer.drawing.ChannelRoute;
import dev.topo.visualizer.drawing.Drawing;
import dev.topo.visualizer.drawing.DrawnMachine;
import dev.topo.visualizer.drawing.HostFold;
import dev.topo.visualizer.drawing.MachineLayout;
import dev.topo.visualizer.drawing.SvgWriter;
import dev.topo.visualizer.view.Answer;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code topo draw}: draws the machine and its channels. */
@Command(
    name = "draw",
    description = "Draws the machine, a channel on it, or a channel between nodes.")
final class DrawCommand extends Subcommand {
  /**
   * Pixels of a PNG per pixel of the drawing, so that it is sharp on high-resolution screens and in
   * print.
   */
  private static final double PNG_SCALE = 2;

  @Mixin private FileAnswers files = new FileAnswers();
  @Mixin private JobQuestion question = JobQuestion.withoutTimes(this);

  @Option(
      names = "--format",
      description = "${COMPLETION-CANDIDATES} (default: by the file name of -o, else svg).")
  private PictureFormat format = PictureFormat.svg;

  @Mixin private DrawnChannels channels = new DrawnChannels();

  @Option(
      names = "--on-node",
      paramLabel = "N",
      description =
          "In a job of several nodes, show the machine of this node, counted from 0, instead of the"
              + " channels between nodes.")
  private @Nullable Integer onNode;

  @Option(
      names = "--unfold",
      description =
          "Draw every host of an NVLink domain; without it equal hosts are drawn once, with their"
              + " numbers.")
  private boolean unfold;

  @Override
  public Integer call() {
    return files.write(question, format, this::answer);
  }

  private Answer answer(AskedJob asked) {
    Drawing drawing = drawing(question.first(asked.parts()), asked.profile());
    return asked.answered(
        format == PictureFormat.svg
            ? Answer.of(SvgWriter.write(drawing))
            : Answer.ofBytes(PngWriter.write(drawing, PNG_SCALE)),
        format);
  }

  private Drawing drawing(JobPart part, NcclProfile profile) {
    int nNodes = part.job().machines().size();
    if (nNodes > 1 && onNode == null) {
      return channels.between(part, evaluator().connect(part.job(), profile));
    }
    refuseIf(
        channels.isPeers(),
        "--pattern p2p: expected a job of several nodes, as with --nodes 2, without --on-node");
    int node = DrawnChannels.index("--on-node", onNode, nNodes);
    return machine(
        nNodes == 1 ? part.title() : part.title() + ", node " + node,
        part.job().machines().get(node),
        nNodes > 1,
        profile);
  }

  private Drawing machine(String name, Machine machine, boolean isJob, NcclProfile profile) {
    if (!channels.isGiven()) {
      return machine(name, machine.withMergedPorts().topology(), Optional.empty());
    }
    List<DomainGraphs> domains = evaluator().graphs(machine, isJob, profile);
    Domain domain = domains.get(0).domain();
    if (domains.size() > 1) {
      message(
          "note: only the network connects the %s groups of GPUs; this is the first group"
              .formatted(domains.size()));
    }
    return machine(name, domain.topology(), Optional.of(channels.route(domains.get(0))));
  }

  private Drawing machine(String name, Topology topology, Optional<ChannelRoute> route) {
    HostFold fold = unfold ? HostFold.none(topology) : HostFold.of(topology, route);
    return MachineLayout.draw(
        new DrawnMachine(name, topology, fold, route, channels.orders(topology, fold, route)));
  }
}
