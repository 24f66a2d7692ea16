package dev.topo.hw.foreign;

import static dev.topo.hw.foreign.DeviceSlots.busId;

import dev.topo.hw.sysfs.LinkLayer;
import dev.topo.hw.sysfs.NetPort;
import dev.topo.hw.sysfs.Network;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Network of an assumed machine: the devices in its file, then the assumed ones, by bus id and
 * port, in the order of NCCL's InfiniBand transport ({@code nccl:src/transport/net_ib.cc}). Ports
 * of one card are not merged.
 */
final class AssumedNetwork {
  /** Queue pairs of a ConnectX in published dumps. */
  private static final int MAX_CONNECTIONS = 131_072;

  private static final String USUAL_NAME = "mlx5_";

  private final Assumption assumption;
  private final List<NetPort> ports = new ArrayList<>();
  private final int stated;
  private final int cards;
  private final int places;

  AssumedNetwork(Assumption assumption, DeviceSlots places, XmlElement system) {
    this.assumption = assumption;
    this.places = places.nics().size();
    TreeSize.all(system)
        .filter(element -> element.name().equals("net"))
        .sorted(Comparator.comparingInt(AssumedNetwork::dev))
        .forEach(this::keep);
    this.stated = ports.size();
    int added = 0;
    if (assumption.netMbps().isPresent()) {
      for (XmlElement nic : places.nics()) {
        if (nic.elements("nic").isEmpty() && added < assumption.nics()) {
          added++;
          add(nic, Math.max(assumption.ports(), places.functions().getOrDefault(busId(nic), 1)));
        }
      }
    }
    this.cards = added;
  }

  Network network() {
    return new Network(ports, false);
  }

  /** Assumed ports, for messages; empty if there are none. */
  String assumed() {
    int count = ports.size() - stated;
    if (count == 0 && stated > 0) {
      return "";
    }
    if (count == 0) {
      return places == 0
          ? "no network card, the file has no place for one"
          : assumption.netMbps().isEmpty()
              ? "no network port (net=MBIT_PER_SECOND adds them)"
              : "no network port";
    }
    String first = ports.get(stated).name();
    String onCards = count == cards ? "" : " on " + cards + (cards == 1 ? " card" : " cards");
    if (cards < places - stated && cards == assumption.nics()) {
      onCards = " on " + cards + " of " + places + " cards";
    }
    return "%s x net %s%s%s of %s Mbit/s by bus id (GDR %s, maxconn %s, guid by card)%s"
        .formatted(
            count,
            first,
            count == 1 ? "" : " to " + ports.get(ports.size() - 1).name(),
            onCards,
            assumption.netMbps().orElse(0),
            hasGdr() ? "on" : "off",
            MAX_CONNECTIONS,
            besideFirstDevice());
  }

  /**
   * Remark on cards that the InfiniBand transport would look for elsewhere ({@code
   * ncclIbGetPciPath}); other plugins may not.
   */
  private String besideFirstDevice() {
    long count =
        ports.stream()
            .filter(port -> port.name().startsWith(USUAL_NAME))
            .flatMap(port -> port.busId().stream())
            .filter(busId -> !busId.endsWith(":00.0"))
            .count();
    return count == 0
        ? ""
        : "; NCCL_IB_MERGE_VFS=0, without which NCCL looks for %s of them at the first device of their bus"
            .formatted(count);
  }

  private boolean hasGdr() {
    return assumption.gdr().orElse(true);
  }

  private static int dev(XmlElement net) {
    return net.attribute("dev")
        .filter(dev -> dev.matches("[0-9]{1,6}"))
        .map(Integer::valueOf)
        .orElse(Integer.MAX_VALUE);
  }

  /** Keeps a device of the file, with all its properties except its number. */
  private void keep(XmlElement net) {
    net.attribute("name")
        .ifPresent(name -> ports.add(port(name, Optional.empty(), 1, ports.size())));
  }

  private void add(XmlElement nic, int portsOfCard) {
    int card = ports.size();
    for (int port = 1; port <= portsOfCard; port++) {
      ports.add(port(freeName(), Optional.of(busId(nic)), port, card));
    }
  }

  /**
   * Unused device name: NCCL finds devices of the file by name, so that a second one of a name
   * would be taken for the first.
   */
  private String freeName() {
    Set<String> taken = ports.stream().map(NetPort::name).collect(Collectors.toSet());
    return IntStream.iterate(0, number -> number + 1)
        .mapToObj(number -> assumption.nicName() + number)
        .filter(name -> !taken.contains(name))
        .findFirst()
        .orElseThrow();
  }

  private NetPort port(String name, Optional<String> busId, int port, int card) {
    return new NetPort(
        name,
        busId,
        assumption.netMbps().orElse(0),
        port,
        card + 1L,
        MAX_CONNECTIONS,
        hasGdr(),
        false,
        LinkLayer.INFINIBAND);
  }
}
