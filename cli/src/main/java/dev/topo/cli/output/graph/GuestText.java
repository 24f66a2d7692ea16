package dev.topo.cli.output.graph;

import dev.topo.cli.output.TextTable;
import dev.topo.inspect.guest.DevicePairing.Pair;
import dev.topo.model.PrintfNumber;
import dev.topo.model.graph.GraphKind;
import dev.topo.simulator.guest.GuestView;
import dev.topo.simulator.guest.GuestView.Found;
import dev.topo.simulator.guest.GuestView.GuestComparison;
import dev.topo.simulator.guest.GuestView.NearestPort;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The comparison of a virtual machine with its host as text. */
public final class GuestText {
  private GuestText() {}

  /** The text. */
  public static String of(GuestComparison comparison) {
    StringBuilder out = new StringBuilder();
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("", "host " + comparison.hostName(), "guest as it is", "guest with the file"));
    for (GraphKind kind : GraphKind.values()) {
      graphRow(comparison, rows, kind.label() + ", one node", view -> view.alone().get(kind));
    }
    for (GraphKind kind : GraphKind.values()) {
      graphRow(comparison, rows, kind.label() + ", more nodes", view -> view.between().get(kind));
    }
    if (!comparison.after().nearest().isEmpty()) {
      rows.add(
          List.of(
              "GPU to its port",
              ways(comparison.host()),
              ways(comparison.before()),
              ways(comparison.after())));
    }
    TextTable.append(out, rows);
    out.append('\n');
    devices(comparison, out);
    if (!comparison.remarks().isEmpty()) {
      out.append('\n');
      comparison.remarks().forEach(remark -> out.append(remark).append('\n'));
    }
    return out.toString();
  }

  private static void graphRow(
      GuestComparison comparison,
      List<List<String>> rows,
      String name,
      Function<GuestView, @Nullable Found> graph) {
    if (graph.apply(comparison.after()) != null) {
      rows.add(
          List.of(
              name,
              words(graph.apply(comparison.host())),
              words(graph.apply(comparison.before())),
              words(graph.apply(comparison.after()))));
    }
  }

  private static String words(@Nullable Found found) {
    if (found == null || found.channels() == 0) {
      return "none";
    }
    return found.channels()
        + " x "
        + PrintfNumber.general(found.bwGBps())
        + " = "
        + PrintfNumber.general(found.channels() * found.bwGBps())
        + " GB/s "
        + found.path();
  }

  private static String ways(GuestView machine) {
    Map<String, Integer> counts = new TreeMap<>();
    machine.nearest().forEach(port -> counts.merge(port.way(), 1, Integer::sum));
    List<String> parts = new ArrayList<>();
    counts.forEach((way, count) -> parts.add(count + " x " + way));
    return parts.isEmpty() ? "none" : String.join(", ", parts);
  }

  private static void devices(GuestComparison comparison, StringBuilder out) {
    Map<String, NearestPort> was = byGpu(comparison.before());
    Map<String, NearestPort> is = byGpu(comparison.after());
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("", "host", "guest", "port of the GPU as it is", "with the file"));
    for (Pair pair : comparison.pairing().pairs()) {
      rows.add(
          List.of(
              pair.kind().word(),
              pair.host(),
              pair.guest(),
              port(was, pair.guest()),
              port(is, pair.guest())));
    }
    TextTable.append(out, rows);
  }

  private static String port(Map<String, NearestPort> ports, String gpu) {
    NearestPort port = ports.get(gpu);
    return port == null ? "" : port.port() + " " + port.way();
  }

  private static Map<String, NearestPort> byGpu(GuestView machine) {
    Map<String, NearestPort> ports = new LinkedHashMap<>();
    machine.nearest().forEach(port -> ports.put(port.gpu(), port));
    return ports;
  }
}
