package dev.topo.inspect.guest;

import dev.topo.inspect.guest.DevicePairing.Pair;
import dev.topo.inspect.guest.PciFunction.Kind;
import dev.topo.model.Node.BusId;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Pairs the devices of a host with those of a virtual machine: by a map, and otherwise by the order
 * of bus ids among equal products, as hypervisors assign devices. Does not guess if the numbers
 * differ. Single use.
 */
public final class DevicePairer {
  private static final Comparator<PciFunction> BY_BUS_ID =
      Comparator.comparingLong(function -> new BusId(function.busId()).number());

  private final XmlElement host;
  private final GuestDevices guest;
  private final Map<String, PciFunction> hostById = new LinkedHashMap<>();
  private final Map<String, String> pairs = new LinkedHashMap<>();
  private final List<String> remarks = new ArrayList<>();
  private boolean guessed;

  /**
   * Creates a pairer.
   *
   * @param host the host's topology
   * @param guest devices visible to the guest
   */
  public DevicePairer(XmlElement host, GuestDevices guest) {
    this.host = host;
    this.guest = guest;
    PciTree.functions(host).forEach(function -> hostById.putIfAbsent(function.busId(), function));
  }

  /**
   * Pairs the devices.
   *
   * @param map bus ids in the guest by bus ids on the host, as the user states them
   * @throws TopologyFormatException if the pairing is ambiguous, with the devices to map by hand
   */
  public DevicePairing pair(Map<String, String> map) {
    map.forEach(this::take);
    if (guest.isKnown()) {
      if (guest.functions().stream().allMatch(function -> function.kind() == Kind.UNKNOWN)
          && map.isEmpty()) {
        throw unclear(
            guest.source(),
            "tells bus ids only, so that nobody can tell GPUs from network cards, expected the"
                + " text of lspci -Dn or %s HOST=GUEST for each",
            SpecField.MAP);
      }
      pairByOrder(Kind.GPU);
      pairByOrder(Kind.NIC);
    }
    List<Pair> ordered = new ArrayList<>();
    hostById.forEach(
        (busId, function) ->
            Optional.ofNullable(pairs.get(busId))
                .ifPresent(device -> ordered.add(new Pair(function.kind(), busId, device))));
    if (ordered.stream().noneMatch(pair -> pair.kind() == Kind.GPU)) {
      throw unclear(
          guest.isKnown() ? guest.source() : host.location().file(),
          "no GPU of the host is in the guest, expected at least one");
    }
    return new DevicePairing(ordered, guessed, remarks);
  }

  private void take(String hostId, String guestId) {
    SpecText stated = SpecText.of("%s %s=%s", SpecField.MAP, hostId, guestId);
    if (!hostById.containsKey(hostId)) {
      String known = ids(devices(Kind.GPU)) + ", " + ids(devices(Kind.NIC));
      throw unclear(
          host.location().file(),
          "%s: has no PCI device %s, expected one of %s",
          stated,
          hostId,
          known);
    }
    if (guest.isKnown()
        && guest.functions().stream().noneMatch(function -> function.busId().equals(guestId))) {
      throw unclear(guest.source(), "%s: the guest has no PCI device %s", stated, guestId);
    }
    if (pairs.containsValue(guestId)) {
      throw unclear(host.location().file(), "%s: %s is mapped twice", stated, guestId);
    }
    pairs.put(hostId, guestId);
  }

  private List<PciFunction> devices(Kind kind) {
    return hostById.values().stream()
        .filter(function -> function.kind() == kind)
        .sorted(BY_BUS_ID)
        .toList();
  }

  private void pairByOrder(Kind kind) {
    List<PciFunction> ours =
        devices(kind).stream().filter(f -> !pairs.containsKey(f.busId())).toList();
    List<PciFunction> theirs = guestDevices(kind);
    boolean byModel =
        Stream.concat(ours.stream(), theirs.stream()).noneMatch(f -> f.model().isEmpty());
    Map<String, List<PciFunction>> hostGroups = groups(ours, byModel);
    Map<String, List<PciFunction>> guestGroups = groups(theirs, byModel);
    List<PciFunction> strange = new ArrayList<>();
    guestGroups.forEach(
        (model, group) -> {
          List<PciFunction> hostGroup = hostGroups.remove(model);
          if (hostGroup == null) {
            strange.addAll(group);
          } else {
            pair(kind, model, hostGroup, group);
          }
        });
    if (!strange.isEmpty()) {
      pairStrange(kind, hostGroups.values().stream().flatMap(List::stream).toList(), strange);
    }
  }

  /** Guest devices of a kind that the map leaves open, one for each card. */
  private List<PciFunction> guestDevices(Kind kind) {
    Set<String> vendors =
        devices(kind).stream().map(PciFunction::vendor).collect(Collectors.toSet());
    Set<String> firsts = new HashSet<>();
    List<PciFunction> found = new ArrayList<>();
    List<String> foreign = new ArrayList<>();
    for (PciFunction function : guest.functions().stream().sorted(BY_BUS_ID).toList()) {
      boolean isOpen = function.kind() == kind && !pairs.containsValue(function.busId());
      boolean isPort = pairs.containsValue(function.firstFunction());
      if (!isOpen || isPort || !firsts.add(function.firstFunction())) {
        continue;
      }
      if (kind == Kind.NIC
          && !function.vendor().isEmpty()
          && !vendors.contains("")
          && !vendors.contains(function.vendor())) {
        foreign.add(function.busId());
      } else {
        found.add(function);
      }
    }
    if (!foreign.isEmpty()) {
      remarks.add(
          String.join(", ", foreign)
              + ": a network card of a vendor that the host's file does not"
              + " have, left out");
    }
    return found;
  }

  private static Map<String, List<PciFunction>> groups(
      List<PciFunction> functions, boolean byModel) {
    return functions.stream()
        .collect(
            Collectors.groupingBy(
                function -> byModel ? function.model() : "", TreeMap::new, Collectors.toList()));
  }

  /** Pairs devices with different ids: virtual functions have a device id of their own. */
  private void pairStrange(Kind kind, List<PciFunction> ours, List<PciFunction> theirs) {
    boolean isOneVendor =
        Stream.concat(ours.stream(), theirs.stream()).map(PciFunction::vendor).distinct().count()
            == 1;
    if (kind == Kind.NIC && ours.size() == theirs.size() && isOneVendor) {
      remarks.add(
          "the guest's network cards "
              + ids(theirs)
              + " have device ids that the host's do not have: taken for virtual functions of "
              + ids(ours));
      pair(kind, "", ours, theirs);
      return;
    }
    throw unclear(
        guest.source(),
        "has %s that the host does not have, the host has %s open%s",
        countAndModels(theirs, kind),
        ours.isEmpty() ? "none" : countAndModels(ours, kind),
        byHand(ours, theirs));
  }

  private void pair(Kind kind, String model, List<PciFunction> ours, List<PciFunction> theirs) {
    if (ours.size() != theirs.size()) {
      String found = count(theirs.size(), kind) + (model.isEmpty() ? "" : " " + model);
      throw unclear(
          guest.source(), "has %s, the host has %s%s", found, ours.size(), byHand(ours, theirs));
    }
    guessed |= ours.size() > 1;
    for (int i = 0; i < ours.size(); i++) {
      pairs.put(ours.get(i).busId(), theirs.get(i).busId());
    }
  }

  private static SpecText byHand(List<PciFunction> ours, List<PciFunction> theirs) {
    return SpecText.of(
        ": which is which? say %s HOST=GUEST for each that is passed through (host %s; guest %s)",
        SpecField.MAP, ids(ours), ids(theirs));
  }

  private static String count(int count, Kind kind) {
    return count + " " + kind.word() + (count == 1 ? "" : "s");
  }

  private static String countAndModels(List<PciFunction> functions, Kind kind) {
    return functions.stream()
        .map(PciFunction::model)
        .distinct()
        .collect(Collectors.joining(", ", count(functions.size(), kind) + " (", ")"));
  }

  private static String ids(List<PciFunction> functions) {
    return functions.isEmpty()
        ? "none"
        : QuantityFormat.joined(", ", functions, PciFunction::busId);
  }

  private static TopologyFormatException unclear(String file, String message, Object... arguments) {
    return new TopologyFormatException(SourceLocation.of(file), SpecText.of(message, arguments));
  }
}
