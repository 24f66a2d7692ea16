package dev.topo.inspect.guest;

import dev.topo.inspect.guest.DevicePairing.Pair;
import dev.topo.inspect.guest.PciFunction.Kind;
import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.node.BusId;
import dev.topo.model.xml.XmlElement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Finds out which device of a host is which in a virtual machine: by a map, and what the map leaves
 * open by order of bus ids among equal products, as hypervisors hand devices over. Where the
 * numbers do not fit it does not guess. Used once.
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
   * A pairer.
   *
   * @param host the host's topology
   * @param guest what the guest sees
   */
  public DevicePairer(XmlElement host, GuestDevices guest) {
    this.host = host;
    this.guest = guest;
    PciTree.functions(host).forEach(function -> hostById.putIfAbsent(function.busId(), function));
  }

  /**
   * The pairing.
   *
   * @param map bus ids in the guest by bus ids on the host, as the user states them
   * @throws TopologyFormatException if it is not clear, with what to map by hand
   */
  public DevicePairing pair(Map<String, String> map) {
    map.forEach(this::take);
    if (guest.isKnown()) {
      if (guest.functions().stream().allMatch(function -> function.kind() == Kind.UNTOLD)
          && map.isEmpty()) {
        throw unclear(
            guest.source(),
            "tells bus ids only, so that nobody can tell GPUs from network cards, expected the"
                + " text of lspci -Dn or --map HOST=GUEST for each");
      }
      pairByOrder(Kind.GPU);
      pairByOrder(Kind.NIC);
    }
    List<Pair> ordered =
        hostById.values().stream()
            .filter(function -> pairs.containsKey(function.busId()))
            .map(
                function ->
                    new Pair(
                        function.kind(),
                        function.busId(),
                        pairs.getOrDefault(function.busId(), "")))
            .toList();
    if (ordered.stream().noneMatch(pair -> pair.kind() == Kind.GPU)) {
      throw unclear(
          guest.isKnown() ? guest.source() : host.location().file(),
          "no GPU of the host is in the guest, expected at least one");
    }
    return new DevicePairing(ordered, guessed, remarks);
  }

  private void take(String hostId, String guestId) {
    if (!hostById.containsKey(hostId)) {
      throw unclear(
          host.location().file(),
          "--map "
              + hostId
              + "="
              + guestId
              + ": has no PCI device "
              + hostId
              + ", expected one of "
              + ids(devices(Kind.GPU))
              + ", "
              + ids(devices(Kind.NIC)));
    }
    if (guest.isKnown()
        && guest.functions().stream().noneMatch(function -> function.busId().equals(guestId))) {
      throw unclear(
          guest.source(),
          "--map " + hostId + "=" + guestId + ": the guest has no PCI device " + guestId);
    }
    if (pairs.containsValue(guestId)) {
      throw unclear(
          host.location().file(),
          "--map " + hostId + "=" + guestId + ": " + guestId + " is mapped twice");
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
        ours.stream().noneMatch(f -> f.model().isEmpty())
            && theirs.stream().noneMatch(f -> f.model().isEmpty());
    Map<String, List<PciFunction>> hostGroups = groups(ours, byModel);
    Map<String, List<PciFunction>> guestGroups = groups(theirs, byModel);
    List<PciFunction> strange = new ArrayList<>();
    guestGroups.forEach(
        (model, group) -> {
          List<PciFunction> same = hostGroups.remove(model);
          if (same == null) {
            strange.addAll(group);
          } else {
            pair(kind, model, same, group);
          }
        });
    if (!strange.isEmpty()) {
      pairStrange(kind, hostGroups.values().stream().flatMap(List::stream).toList(), strange);
    }
  }

  /** The guest's devices of a kind that the map leaves open, one for each card. */
  private List<PciFunction> guestDevices(Kind kind) {
    Set<String> vendors =
        devices(kind).stream().map(PciFunction::vendor).collect(Collectors.toSet());
    Set<String> firsts = new HashSet<>();
    List<PciFunction> found = new ArrayList<>();
    List<String> foreign = new ArrayList<>();
    for (PciFunction function : guest.functions().stream().sorted(this::byBusId).toList()) {
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

  private int byBusId(PciFunction a, PciFunction b) {
    return BY_BUS_ID.compare(a, b);
  }

  private static Map<String, List<PciFunction>> groups(
      List<PciFunction> functions, boolean byModel) {
    return functions.stream()
        .collect(
            Collectors.groupingBy(
                function -> byModel ? function.model() : "", TreeMap::new, Collectors.toList()));
  }

  /** Virtual functions have a device id of their own. */
  private void pairStrange(Kind kind, List<PciFunction> ours, List<PciFunction> theirs) {
    Set<String> vendors = new TreeSet<>();
    ours.forEach(function -> vendors.add(function.vendor()));
    theirs.forEach(function -> vendors.add(function.vendor()));
    if (kind == Kind.NIC && ours.size() == theirs.size() && vendors.size() == 1) {
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
        "has "
            + count(theirs.size(), kind)
            + " ("
            + models(theirs)
            + ") that the host does not have, the host has "
            + (ours.isEmpty() ? "none" : count(ours.size(), kind) + " (" + models(ours) + ")")
            + " open"
            + byHand(ours, theirs));
  }

  private void pair(Kind kind, String model, List<PciFunction> ours, List<PciFunction> theirs) {
    if (ours.size() != theirs.size()) {
      throw unclear(
          guest.source(),
          "has "
              + count(theirs.size(), kind)
              + (model.isEmpty() ? "" : " " + model)
              + ", the host has "
              + ours.size()
              + byHand(ours, theirs));
    }
    guessed |= ours.size() > 1;
    for (int i = 0; i < ours.size(); i++) {
      pairs.put(ours.get(i).busId(), theirs.get(i).busId());
    }
  }

  private static String byHand(List<PciFunction> ours, List<PciFunction> theirs) {
    return ": which is which? say --map HOST=GUEST for each that is passed through (host "
        + ids(ours)
        + "; guest "
        + ids(theirs)
        + ")";
  }

  private static String count(int count, Kind kind) {
    return count + " " + kind.word() + (count == 1 ? "" : "s");
  }

  private static String models(List<PciFunction> functions) {
    return functions.stream().map(PciFunction::model).distinct().collect(Collectors.joining(", "));
  }

  private static String ids(List<PciFunction> functions) {
    return functions.isEmpty()
        ? "none"
        : functions.stream().map(PciFunction::busId).collect(Collectors.joining(", "));
  }

  private static TopologyFormatException unclear(String file, String message) {
    return new TopologyFormatException(SourceLocation.of(file), message);
  }
}
