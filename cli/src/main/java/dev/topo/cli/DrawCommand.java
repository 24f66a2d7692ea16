package dev.topo.cli;

import dev.topo.cli.JobOptions.JobPart;
import dev.topo.cli.output.Answer;
import dev.topo.cli.output.Streams;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.path.Domain;
import dev.topo.model.path.DomainFinder;
import dev.topo.model.settings.NcclSettings;
import dev.topo.model.settings.SettingException;
import dev.topo.visualizer.layout.MachineLayout;
import dev.topo.visualizer.png.PngWriter;
import dev.topo.visualizer.route.ChannelRoute;
import dev.topo.visualizer.route.RouteFinder;
import dev.topo.visualizer.scene.Drawing;
import dev.topo.visualizer.svg.SvgWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code topo draw}: the machine and its channels as a picture. */
@Command(
    name = "draw",
    description = "A picture of the machine, of a channel on it, or of a channel between nodes.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example: topo draw topologies/dgx-h100.xml -o dgx-h100.svg"})
final class DrawCommand extends JobCommand {
  @Option(
      names = "--format",
      description = "${COMPLETION-CANDIDATES} (default: as the file of -o ends, else svg).")
  private @Nullable DrawFormat format;

  @Option(
      names = "--pattern",
      paramLabel = "GRAPH",
      description =
          "Show a channel of this graph: ring, tree, nvls, collnet-direct or collnet-chain.")
  private @Nullable String pattern;

  @Option(
      names = "--channel",
      paramLabel = "K",
      description =
          "Show this channel, from 0 (default: ${DEFAULT-VALUE} where --pattern is given).")
  private @Nullable Integer channel;

  private enum DrawFormat implements Format {
    svg,
    png
  }

  DrawCommand(Streams streams, Map<String, String> environment) {
    super(streams, environment);
  }

  @Override
  Format format() {
    if (format != null) {
      return format;
    }
    String file = output().file().map(Path::toString).orElse("").toLowerCase(Locale.ROOT);
    return Arrays.stream(DrawFormat.values())
        .filter(known -> file.endsWith(known.extension()))
        .findFirst()
        .orElse(DrawFormat.svg);
  }

  @Override
  Answer answer(List<Path> question, NcclSettings settings) {
    JobPart part = parts(question, settings).get(0);
    Domain domain =
        DomainFinder.find(
                part.job().machines().get(0).topology(), settings, part.job().machines().size() > 1)
            .get(0);
    Drawing drawing = MachineLayout.draw(part.title(), domain.topology(), route(domain, settings));
    return format() == DrawFormat.png
        ? Answer.ofBytes(PngWriter.write(drawing, 2))
        : Answer.of(SvgWriter.write(drawing));
  }

  private Optional<ChannelRoute> route(Domain domain, NcclSettings settings) {
    if (pattern == null && channel == null) {
      return Optional.empty();
    }
    ChannelGraph graph = StatedGraphs.search(domain, settings).get(kind());
    int number = channel == null ? 0 : channel;
    if (number < 0 || number >= graph.nChannels()) {
      throw new SettingException(
          "--channel: expected numbers from 0 to " + (graph.nChannels() - 1));
    }
    return Optional.of(new RouteFinder(domain).find(graph, number));
  }

  private GraphKind kind() {
    String wanted = pattern == null ? GraphKind.RING.label() : pattern;
    return Arrays.stream(GraphKind.values())
        .filter(kind -> kind.label().equalsIgnoreCase(wanted))
        .findFirst()
        .orElseThrow(
            () ->
                new SettingException(
                    "--pattern "
                        + wanted
                        + ": expected one of "
                        + Arrays.stream(GraphKind.values())
                            .map(GraphKind::label)
                            .collect(Collectors.joining(", "))));
  }
}
