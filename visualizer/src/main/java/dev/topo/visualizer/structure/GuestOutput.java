package dev.topo.visualizer.structure;

import dev.topo.inspect.guest.DevicePairing.Pair;
import dev.topo.inspect.guest.PciFunction.Kind;
import dev.topo.model.QuantityFormat;
import dev.topo.model.QuantityFormat.PrintfNumber;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.verdict.GuestView;
import dev.topo.simulator.verdict.GuestView.Found;
import dev.topo.simulator.verdict.GuestView.GuestComparison;
import dev.topo.simulator.verdict.GuestView.NearestPort;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.BasisFooter;
import dev.topo.visualizer.view.Columns;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import dev.topo.visualizer.view.OptionWords.Hint;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The comparison of a virtual machine with its host as text and as JSON. */
public final class GuestOutput {
  /** Number of GPUs listed unless the user asks for all. */
  private static final int LISTED = 4;

  private static final Columns<Pair> DEVICE =
      Columns.of(Pair.class)
          .column("", "kind", pair -> pair.kind().word())
          .column("host", "host", Pair::host)
          .column("guest", "guest", Pair::guest);

  private static final Fields<GuestComparison> GUEST =
      Fields.of(GuestComparison.class)
          .list("devices", comparison -> comparison.pairing().pairs(), DEVICE.fields())
          .components("host", "before", "after", "beforeIsAssumed");

  private GuestOutput() {}

  /**
   * The JSON document: {@code devices[]} (kind, host, guest), {@code host}, {@code before}, {@code
   * after} with {@code nearest[]} (gpu, port, path, gdr), {@code alone} and {@code between} by
   * graph (channels, bandwidthGBps, path), {@code beforeIsAssumed}; the remarks are its caveats.
   */
  public static Answer json(GuestComparison comparison) {
    return Json.document("guest", comparison.remarks(), GUEST, comparison);
  }

  /**
   * The comparison as text.
   *
   * @param isVerbose whether to list equal rows and network cards as well
   */
  public static Answer of(GuestComparison comparison, boolean isVerbose) {
    TextTable table = TextTable.atMargin();
    table.row("", "host " + comparison.hostName(), "guest as it is", "guest with the file");
    graphRows(comparison, isVerbose, table, ", one node", GuestView::alone);
    graphRows(comparison, isVerbose, table, ", more nodes", GuestView::between);
    if (!comparison.after().nearest().isEmpty()) {
      table.row(
          "GPU to its port",
          paths(comparison.host()),
          paths(comparison.before()),
          paths(comparison.after()));
    }
    if (table.size() == 1) {
      table.row("rings, trees", "equal", "equal", "equal");
    }
    TextWriter out = new TextWriter().table(table).line("").table(devices(comparison, isVerbose));
    if (!isVerbose) {
      long more = gpus(comparison).count() - LISTED;
      out.line(
          "%sequal rows and network cards: %s",
          more > 0 ? QuantityFormat.count(more, "more GPU") + ", " : "", Hint.LISTS_ALL);
    }
    BasisFooter.write(out, comparison.remarks(), isVerbose);
    return Answer.of(out);
  }

  private static void graphRows(
      GuestComparison comparison,
      boolean isVerbose,
      TextTable table,
      String place,
      Function<GuestView, Map<GraphKind, Found>> graphs) {
    for (GraphKind kind : GraphKind.values()) {
      if (graphs.apply(comparison.after()).containsKey(kind)) {
        List<String> texts =
            Stream.of(comparison.host(), comparison.before(), comparison.after())
                .map(view -> text(graphs.apply(view).get(kind)))
                .toList();
        if (isVerbose || texts.stream().distinct().count() > 1) {
          table.row(kind.label() + place, texts.get(0), texts.get(1), texts.get(2));
        }
      }
    }
  }

  private static String text(@Nullable Found found) {
    return found == null || found.channels() == 0
        ? "none"
        : TextWriter.format(
            "%d x %s = %s GB/s %s",
            found.channels(),
            PrintfNumber.general(found.bandwidthGBps()),
            PrintfNumber.general(found.channels() * found.bandwidthGBps()),
            found.path());
  }

  private static String paths(GuestView machine) {
    Map<String, Integer> counts = new TreeMap<>();
    machine.nearest().forEach(port -> counts.merge(path(port), 1, Integer::sum));
    return counts.isEmpty()
        ? "none"
        : QuantityFormat.joined(
            ", ", counts.entrySet(), path -> path.getValue() + " x " + path.getKey());
  }

  private static String path(NearestPort port) {
    return port.path() + (port.gdr() ? " GDR" : " no GDR");
  }

  private static TextTable devices(GuestComparison comparison, boolean isVerbose) {
    Map<String, NearestPort> was = byGpu(comparison.before());
    Map<String, NearestPort> is = byGpu(comparison.after());
    return DEVICE
        .column("port of the GPU as it is", pair -> port(was, pair.guest()))
        .column("with the file", pair -> port(is, pair.guest()))
        .shown(
            TextTable.atMargin(),
            isVerbose ? comparison.pairing().pairs() : gpus(comparison).limit(LISTED).toList());
  }

  private static Stream<Pair> gpus(GuestComparison comparison) {
    return comparison.pairing().pairs().stream().filter(pair -> pair.kind() != Kind.NIC);
  }

  private static String port(Map<String, NearestPort> ports, String gpu) {
    NearestPort port = ports.get(gpu);
    return port == null ? "" : port.port() + " " + path(port);
  }

  private static Map<String, NearestPort> byGpu(GuestView machine) {
    return machine.nearest().stream()
        .collect(Collectors.toMap(NearestPort::gpu, port -> port, (first, last) -> last));
  }
}
