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
import dev.topo.visualizer.view.Basis;
import dev.topo.visualizer.view.OptionWords;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The comparison of a virtual machine with its host as text. */
public final class GuestText {
  /** GPUs that are listed where the user does not want all. */
  private static final int LISTED = 4;

  private GuestText() {}

  /**
   * The text.
   *
   * @param isVerbose whether equal rows and network cards are also listed
   */
  public static String of(GuestComparison comparison, boolean isVerbose) {
    TextTable table = TextTable.atMargin();
    table.row("", "host " + comparison.hostName(), "guest as it is", "guest with the file");
    for (GraphKind kind : GraphKind.values()) {
      graphRow(
          comparison,
          isVerbose,
          table,
          kind.label() + ", one node",
          view -> view.alone().get(kind));
    }
    for (GraphKind kind : GraphKind.values()) {
      graphRow(
          comparison,
          isVerbose,
          table,
          kind.label() + ", more nodes",
          view -> view.between().get(kind));
    }
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
      long more = gpus(comparison) - LISTED;
      out.line(
          "%sequal rows and network cards: %s",
          more > 0 ? QuantityFormat.count(more, "more GPU") + ", " : "",
          OptionWords.Hint.LISTS_ALL);
    }
    Basis.write(out, comparison.remarks(), isVerbose);
    return out.toString();
  }

  private static void graphRow(
      GuestComparison comparison,
      boolean isVerbose,
      TextTable table,
      String name,
      Function<GuestView, @Nullable Found> graph) {
    if (graph.apply(comparison.after()) == null) {
      return;
    }
    String host = text(graph.apply(comparison.host()));
    String before = text(graph.apply(comparison.before()));
    String after = text(graph.apply(comparison.after()));
    if (isVerbose || !host.equals(after) || !before.equals(after)) {
      table.row(name, host, before, after);
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
    List<String> parts = new ArrayList<>();
    counts.forEach((path, count) -> parts.add(count + " x " + path));
    return parts.isEmpty() ? "none" : String.join(", ", parts);
  }

  private static String path(NearestPort port) {
    return port.path() + (port.gdr() ? " GDR" : " no GDR");
  }

  private static TextTable devices(GuestComparison comparison, boolean isVerbose) {
    Map<String, NearestPort> was = byGpu(comparison.before());
    Map<String, NearestPort> is = byGpu(comparison.after());
    TextTable table = TextTable.atMargin();
    table.header(",host,guest,port of the GPU as it is,with the file");
    for (Pair pair : comparison.pairing().pairs()) {
      String guest = pair.guest();
      if (!isVerbose && (pair.kind() == Kind.NIC || table.size() > LISTED)) {
        continue;
      }
      table.row(pair.kind().word(), pair.host(), guest, port(was, guest), port(is, guest));
    }
    return table;
  }

  private static long gpus(GuestComparison comparison) {
    return comparison.pairing().pairs().stream().filter(pair -> pair.kind() != Kind.NIC).count();
  }

  private static String port(Map<String, NearestPort> ports, String gpu) {
    NearestPort port = ports.get(gpu);
    return port == null ? "" : port.port() + " " + path(port);
  }

  private static Map<String, NearestPort> byGpu(GuestView machine) {
    Map<String, NearestPort> ports = new LinkedHashMap<>();
    machine.nearest().forEach(port -> ports.put(port.gpu(), port));
    return ports;
  }
}
