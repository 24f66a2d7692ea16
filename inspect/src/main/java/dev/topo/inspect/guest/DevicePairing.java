package dev.topo.inspect.guest;

import dev.topo.inspect.guest.PciFunction.Kind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Pairs of devices of a host and a virtual machine.
 *
 * @param pairs the guest's devices, in the order of the host's file
 * @param guessed whether some were paired by their order
 * @param remarks remarks on the pairing, one line each
 */
public record DevicePairing(List<Pair> pairs, boolean guessed, List<String> remarks) {
  public DevicePairing {
    pairs = List.copyOf(pairs);
    remarks = List.copyOf(remarks);
  }

  /**
   * Pair of a device.
   *
   * @param kind its kind
   * @param host its bus id on the host
   * @param guest its bus id in the guest
   */
  public record Pair(Kind kind, String host, String guest) {}

  /** Bus ids in the guest by bus ids on the host. */
  Map<String, String> guestByHost() {
    Map<String, String> ids = new LinkedHashMap<>();
    pairs.forEach(pair -> ids.put(pair.host, pair.guest));
    return ids;
  }
}
