package dev.topo.inspect.log;

import dev.topo.model.Labels;
import dev.topo.model.Last;
import dev.topo.model.Link.PathType;
import dev.topo.model.graph.GraphKind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Collects the lines of a {@link GraphLog}. Lines of one rank arrive in order. */
final class GraphLines {
  private static final Pattern SYSTEM =
      Pattern.compile("=== System : maxBw (\\d+\\.\\d) totalBw (\\d+\\.\\d) ===");
  private static final Pattern PATHS_LINE = Pattern.compile(NodeName.REGEX + " :(.*)");
  private static final Pattern PATH =
      Pattern.compile(NodeName.REGEX + " \\((\\d+)/(\\d+\\.\\d)/([A-Z0-9]{3})\\)");
  private static final Pattern GRAPH =
      Pattern.compile(
          "Pattern (\\d+), crossNic (\\d+), nChannels (\\d+), bw (\\d+\\.\\d+)/(\\d+\\.\\d+),"
              + " type ([A-Z0-9]{3})/([A-Z0-9]{3}), sameChannels (\\d+)");
  private static final Pattern CHANNEL =
      Pattern.compile(" ?(\\d+) :((?: " + NodeName.REGEX + ")++)");
  private static final Pattern NAME = Pattern.compile(NodeName.REGEX);

  private Optional<Matcher> system = Optional.empty();
  private final List<GraphLog.Path> paths = new ArrayList<>();
  private final List<Matcher> graphs = new ArrayList<>();
  private final List<List<List<NodeName>>> channels = new ArrayList<>();
  private final LineKinds kinds =
      new LineKinds()
          .with(SYSTEM, line -> system = Optional.of(line))
          .with(GRAPH, this::acceptGraph)
          .with(CHANNEL, line -> acceptChannel(line.group(2)))
          .with(PATHS_LINE, this::acceptPaths);

  /** True if a line can be the first about a communicator. */
  static boolean isFirstLine(CharSequence line) {
    return SYSTEM.matcher(line).matches();
  }

  boolean hasSystem() {
    return system.isPresent();
  }

  void accept(CharSequence line) {
    kinds.accept(line);
  }

  private void acceptGraph(Matcher graph) {
    int pattern = Integer.parseInt(graph.group(1));
    if (Arrays.stream(GraphKind.Pattern.values()).anyMatch(known -> known.number() == pattern)
        && type(graph.group(6)).isPresent()
        && type(graph.group(7)).isPresent()) {
      graph(graph, List.of()); // throws if a number is too large, so that the line is skipped
      graphs.add(graph);
      channels.add(new ArrayList<>());
    }
  }

  private static Optional<PathType> type(String name) {
    return Labels.exact(PathType.values(), PathType::name, name);
  }

  private void acceptChannel(String names) {
    if (channels.isEmpty()) {
      return;
    }
    List<NodeName> nodes = new ArrayList<>();
    Matcher name = NAME.matcher(names);
    while (name.find()) {
      nodes.add(NodeName.of(name));
    }
    Last.of(channels).add(nodes);
  }

  private void acceptPaths(Matcher line) {
    NodeName from = NodeName.of(line);
    Matcher path = PATH.matcher(line.group());
    while (path.find()) {
      NodeName to = NodeName.of(path);
      int hops = Integer.parseInt(path.group(4));
      BigDecimal bw = new BigDecimal(path.group(5));
      type(path.group(6)).ifPresent(type -> paths.add(new GraphLog.Path(from, to, hops, bw, type)));
    }
  }

  GraphLog log() {
    List<GraphLog.Graph> found =
        IntStream.range(0, graphs.size())
            .mapToObj(g -> graph(graphs.get(g), channels.get(g)))
            .toList();
    return new GraphLog(
        system.map(
            line ->
                new GraphLog.SystemLines(
                    new BigDecimal(line.group(1)), new BigDecimal(line.group(2)))),
        paths,
        found);
  }

  private static GraphLog.Graph graph(Matcher line, List<List<NodeName>> channels) {
    return new GraphLog.Graph(
        GraphKind.Pattern.ofNumber(Integer.parseInt(line.group(1))),
        Integer.parseInt(line.group(2)),
        Integer.parseInt(line.group(3)),
        new BigDecimal(line.group(4)),
        new BigDecimal(line.group(5)),
        type(line.group(6)).orElseThrow(),
        type(line.group(7)).orElseThrow(),
        !line.group(8).equals("0"),
        channels);
  }
}
