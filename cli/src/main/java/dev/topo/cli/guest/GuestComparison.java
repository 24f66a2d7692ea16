package dev.topo.cli.guest;

import dev.topo.cli.guest.GuestView.Found;
import dev.topo.cli.guest.GuestView.NearestPort;
import dev.topo.cli.output.Answer;
import dev.topo.cli.output.Json;
import dev.topo.cli.output.TextTable;
import dev.topo.inspect.guest.DevicePairing;
import dev.topo.inspect.guest.DevicePairing.Pair;
import dev.topo.model.PrintfNumber;
import dev.topo.model.graph.GraphKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A virtual machine as NCCL sees it without a topology file and with one, beside its host.
 *
 * @param hostName name of the host
 * @param pairing which device is which
 * @param host the part of the host that the guest has
 * @param before the guest as it is
 * @param beforeIsAssumed whether the guest is unknown and therefore assumed to be flat
 * @param after the guest with the file
 * @param remarks notes for the user, one line each
 */
public record GuestComparison(
    String hostName,
    DevicePairing pairing,
    GuestView host,
    GuestView before,
    boolean beforeIsAssumed,
    GuestView after,
    List<String> remarks) {
  /** Checks and copies its parts. */
  public GuestComparison {
    remarks = List.copyOf(remarks);
  }

  /** For people. */
  public String text() {
    StringBuilder out = new StringBuilder();
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("", "host " + hostName, "guest as it is", "guest with the file"));
    for (GraphKind kind : GraphKind.values()) {
      graphRow(rows, kind.label() + ", one node", GuestView::alone, kind);
    }
    for (GraphKind kind : GraphKind.values()) {
      graphRow(rows, kind.label() + ", more nodes", GuestView::between, kind);
    }
    if (!after.nearest().isEmpty()) {
      rows.add(List.of("GPU to its port", ways(host), ways(before), ways(after)));
    }
    TextTable.append(out, rows);
    out.append('\n');
    devices(out);
    if (!remarks.isEmpty()) {
      out.append('\n');
      remarks.forEach(remark -> out.append(remark).append('\n'));
    }
    return out.toString();
  }

  /** Which graphs of a machine are meant. */
  private interface Graphs {
    Map<GraphKind, Found> of(GuestView machine);
  }

  private void graphRow(List<List<String>> rows, String name, Graphs which, GraphKind kind) {
    if (which.of(after).containsKey(kind)) {
      rows.add(
          List.of(
              name,
              graph(which.of(host), kind),
              graph(which.of(before), kind),
              graph(which.of(after), kind)));
    }
  }

  private static String graph(Map<GraphKind, Found> graphs, GraphKind kind) {
    Found found = graphs.get(kind);
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

  private void devices(StringBuilder out) {
    Map<String, NearestPort> was = byGpu(before);
    Map<String, NearestPort> is = byGpu(after);
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("", "host", "guest", "port of the GPU as it is", "with the file"));
    for (Pair pair : pairing.pairs()) {
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

  /**
   * For programs: {@code devices[]} (kind, host, guest), {@code host}, {@code before}, {@code
   * after} with {@code nearest[]} (gpu, port, path, gdr), {@code alone} and {@code between} by
   * graph (channels, bwGBps, path), {@code beforeIsAssumed}, {@code remarks[]}.
   */
  public Answer json() {
    return Json.document(
        "guest",
        new Guest(
            pairing.pairs().stream()
                .map(pair -> new Device(pair.kind().word(), pair.host(), pair.guest()))
                .toList(),
            host,
            before,
            after,
            beforeIsAssumed,
            remarks));
  }

  private record Guest(
      List<Device> devices,
      GuestView host,
      GuestView before,
      GuestView after,
      boolean beforeIsAssumed,
      List<String> remarks) {}

  private record Device(String kind, String host, String guest) {}
}
