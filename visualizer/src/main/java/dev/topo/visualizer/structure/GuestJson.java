package dev.topo.visualizer.structure;

import dev.topo.inspect.guest.DevicePairing.Pair;
import dev.topo.simulator.verdict.GuestView.GuestComparison;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;

/** The comparison of a virtual machine with its host as JSON. */
public final class GuestJson {
  private static final Fields<Pair> DEVICE =
      Fields.of(Pair.class)
          .field("kind", pair -> pair.kind().word())
          .field("host", Pair::host)
          .field("guest", Pair::guest);

  /** The remarks are the caveats of the document, by the former name. */
  private static final Fields<GuestComparison> GUEST =
      Fields.of(GuestComparison.class)
          .list("devices", comparison -> comparison.pairing().pairs(), DEVICE)
          .field("host", GuestComparison::host)
          .field("before", GuestComparison::before)
          .field("after", GuestComparison::after)
          .field("beforeIsAssumed", GuestComparison::beforeIsAssumed)
          .field("remarks", GuestComparison::remarks);

  private GuestJson() {}

  /**
   * The document: {@code devices[]} (kind, host, guest), {@code host}, {@code before}, {@code
   * after} with {@code nearest[]} (gpu, port, path, gdr), {@code alone} and {@code between} by
   * graph (channels, bandwidthGBps, path), {@code beforeIsAssumed}; the remarks are its caveats.
   */
  public static Answer of(GuestComparison comparison) {
    return Json.document("guest", comparison.remarks(), GUEST, comparison);
  }
}
