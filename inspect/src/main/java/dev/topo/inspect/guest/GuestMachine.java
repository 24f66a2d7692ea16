package dev.topo.inspect.guest;

import dev.topo.inspect.guest.PciFunction.Kind;
import dev.topo.model.Node.BusId;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Virtual machine on a host.
 *
 * @param file topology file for NCCL in the guest: the host's CPUs and PCI devices above the
 *     guest's devices, with the guest's bus ids
 * @param complete the same, as NCCL completes it at run time, with GPUs, NVLinks and ports
 * @param flat topology that NCCL would detect in a guest without visible switches: all devices
 *     below one CPU
 * @param host part of the host that the guest has
 * @param remarks remarks, one line each
 */
public record GuestMachine(
    XmlElement file, XmlElement complete, XmlElement flat, XmlElement host, List<String> remarks) {
  /** Setting without which NCCL ignores cards other than the first device of a bus. */
  public static final String SEPARATE_CARDS = "NCCL_IB_MERGE_VFS=0";

  /** Devices per bus for switches on buses that no machine has; 32 fit on a bus. */
  private static final int DEVICES_OF_A_BUS = 32;

  /** Bus id of the first such switch, {@code ffff:ff:00.0}, as cloud operators use. */
  private static final long FIRST_UNUSED = 0xffffff000L;

  public GuestMachine {
    remarks = List.copyOf(remarks);
  }

  /**
   * Virtual machine with some devices of a host.
   *
   * @param host the host's topology
   * @param pairing its devices and their bus ids
   * @param guest its visible PCI devices
   * @param vcpus number of its CPUs, if known
   * @throws TopologyFormatException if none of its devices is below a CPU of the host
   */
  public static GuestMachine of(
      XmlElement host, DevicePairing pairing, GuestDevices guest, OptionalInt vcpus) {
    XmlElement part = HostPart.of(host, pairing);
    if (part.elements("cpu").isEmpty()) {
      throw new TopologyFormatException(
          host.location(),
          "no device of the guest is in a <cpu> of the host, expected one at least");
    }
    GuestCpus cpus = GuestCpus.of(host, pairing, guest.dump(), vcpus);
    Set<String> taken = new HashSet<>(pairing.guestByHost().values());
    guest.functions().forEach(function -> taken.add(function.busId()));
    Map<String, String> ids = withSwitches(part, pairing, taken);
    XmlElement complete = new GuestRenaming(ids, cpus).of(part);
    List<String> remarks = new ArrayList<>();
    remarks.add(cpus.remark());
    int switches = ids.size() - pairing.pairs().size();
    if (switches > 0) {
      String devices =
          switches == 1 ? " switch of the host has a bus id" : " switches of the host have bus ids";
      remarks.add(switches + devices + " that the guest does not use");
    }
    remarks.addAll(cardsBesideFirstDevice(complete));
    return new GuestMachine(pciOnly(complete), complete, flat(complete), part, remarks);
  }

  /** Pairs of bus ids, with an unused bus id for each switch that the guest does not have. */
  private static Map<String, String> withSwitches(
      XmlElement part, DevicePairing pairing, Set<String> taken) {
    Map<String, String> ids = new LinkedHashMap<>(pairing.guestByHost());
    int next = 1;
    for (PciFunction function : PciTree.functions(part)) {
      if (ids.containsKey(function.busId())) {
        continue;
      }
      String free;
      do {
        free = unused(next++);
      } while (!taken.add(free));
      ids.put(function.busId(), free);
    }
    return ids;
  }

  private static String unused(int number) {
    long bus = number / DEVICES_OF_A_BUS;
    long device = number % DEVICES_OF_A_BUS;
    return BusId.of(FIRST_UNUSED - (bus << 12) + (device << 4)).text();
  }

  /**
   * Remark on cards that NCCL would ignore: its InfiniBand transport looks for a card at the first
   * device of its bus, so that virtual functions count as one card ({@code ncclIbGetPciPath},
   * {@code nccl:src/transport/net_ib.cc}).
   */
  private static List<String> cardsBesideFirstDevice(XmlElement system) {
    List<String> cards =
        PciTree.functions(system).stream()
            .filter(function -> function.kind() == Kind.NIC)
            .map(PciFunction::busId)
            .filter(busId -> !busId.endsWith(":00.0"))
            .toList();
    return cards.isEmpty()
        ? List.of()
        : List.of(
            String.join(", ", cards)
                + ": NCCL's InfiniBand transport looks for a card at the first device of its bus and"
                + " would pass over these in the file; set "
                + SEPARATE_CARDS
                + " in the guest, or give"
                + " each card a PCI bus of its own");
  }

  private static XmlElement pciOnly(XmlElement element) {
    return element.with(
        element.elements().stream()
            .filter(child -> child.name().equals("cpu") || child.name().equals("pci"))
            .map(GuestMachine::pciOnly)
            .toList());
  }

  private static XmlElement flat(XmlElement system) {
    List<XmlElement> devices = new ArrayList<>();
    collectDevices(system, devices);
    devices.sort(Comparator.comparingLong(pci -> new BusId(PciTree.busId(pci)).number()));
    return system.with(List.of(system.elements("cpu").get(0).with(devices)));
  }

  private static void collectDevices(XmlElement element, List<XmlElement> found) {
    for (XmlElement child : element.elements()) {
      Kind kind = child.name().equals("pci") ? PciTree.kind(child) : Kind.BRIDGE;
      if (kind == Kind.GPU || kind == Kind.NIC) {
        found.add(child);
      } else {
        collectDevices(child, found);
      }
    }
  }
}
