package dev.topo.simulator.guest;

import dev.topo.inspect.guest.DevicePairing;
import java.util.List;

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
  public GuestComparison {
    remarks = List.copyOf(remarks);
  }
}
