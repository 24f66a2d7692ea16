package dev.topo.visualizer.structure;

import dev.topo.simulator.verdict.GuestView;
import dev.topo.simulator.verdict.GuestView.GuestComparison;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Json;
import java.util.List;

/** The comparison of a virtual machine with its host as JSON. */
public final class GuestJson {
  private GuestJson() {}

  /**
   * The document: {@code devices[]} (kind, host, guest), {@code host}, {@code before}, {@code
   * after} with {@code nearest[]} (gpu, port, path, gdr), {@code alone} and {@code between} by
   * graph (channels, bandwidthGBps, path), {@code beforeIsAssumed}; the remarks are its caveats.
   */
  public static Answer of(GuestComparison comparison) {
    return Json.document(
        "guest",
        comparison.remarks(),
        new Guest(
            comparison.pairing().pairs().stream()
                .map(pair -> new Device(pair.kind().word(), pair.host(), pair.guest()))
                .toList(),
            comparison.host(),
            comparison.before(),
            comparison.after(),
            comparison.beforeIsAssumed(),
            comparison.remarks()));
  }

  /**
   * The document.
   *
   * @param remarks its caveats, by the former name
   */
  private record Guest(
      List<Device> devices,
      GuestView host,
      GuestView before,
      GuestView after,
      boolean beforeIsAssumed,
      List<String> remarks) {}

  private record Device(String kind, String host, String guest) {}
}
