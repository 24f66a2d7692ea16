package dev.topo.hw.foreign;

import static dev.topo.hw.foreign.DeviceSlots.busId;

import dev.topo.hw.sysfs.LinkLayer;
import dev.topo.hw.sysfs.NetPort;
import dev.topo.hw.sysfs.Network;
import dev.topo.model.Last;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Network ports of a completed machine: first the ports that its file lists, then the assumed ones
 * by bus id and port, in the order of NCCL's InfiniBand transport ({@code
 * nccl:src/transport/net_ib.cc}). Ports of one card are not merged.
 */
final class AssumedNetwork {
  /** Maximum number of connections ({@code maxconn}) of a ConnectX in published dumps. */
  private static final int MAX_CONNECTIONS = 131_072;

  private final Assumption assumption;
  private final List<NetPort> ports = new ArrayList<>();
  private final int nListed;
  private final int nCards;
  private final int nSlots;

  AssumedNetwork(Assumption assumption, DeviceSlots slots, XmlElement system) {
    this.assumption = assumption;
    this.nSlots = slots.nics().size();
    system
        .all()
        .filter(element -> element.name().equals("net"))
        .sorted(Comparator.comparingInt(AssumedNetwork::dev))
        .forEach(this::addListed);
    this.nListed = ports.size();
    int added = 0;
    if (assumption.netMbps().isPresent()) {
      for (XmlElement nic : slots.nics()) {
        if (nic.elements("nic").isEmpty() && added < assumption.nics()) {
          added++;
          add(nic, Math.max(assumption.ports(), slots.functions().getOrDefault(busId(nic), 1)));
        }
      }
    }
    this.nCards = added;
  }

  Network network() {
    return new Network(ports, false);
  }

  /** Describes the assumed ports, for messages; empty if the file lists ports and none is added. */
  String assumed() {
    int count = ports.size() - nListed;
    if (count == 0 && nListed > 0) {
      return "";
    }
    if (count == 0) {
      return nSlots == 0
          ? "no network card, the file has no place for one"
          : assumption.netMbps().isEmpty()
              ? "no network port (net=MBIT_PER_SECOND adds them)"
              : "no network port";
    }
    String first = ports.get(nListed).name();
    String onCards = count == nCards ? "" : " on " + nCards + (nCards == 1 ? " card" : " cards");
    if (nCards < nSlots - nListed && nCards == assumption.nics()) {
      onCards = " on " + nCards + " of " + nSlots + " cards";
    }
    return "%s x net %s%s%s of %s Mbit/s by bus id (GDR %s, maxconn %s, guid by card)%s"
        .formatted(
            count,
            first,
            count == 1 ? "" : " to " + Last.of(ports).name(),
            onCards,
            assumption.netMbps().orElse(0),
            hasGdr() ? "on" : "off",
            MAX_CONNECTIONS,
            besideFirstDevice());
  }

  /**
   * Remark on cards that NCCL's InfiniBand transport would take for the first device of their bus
   * ({@code ncclIbGetPciPath}); other plugins may not. Empty if there are none.
   */
  private String besideFirstDevice() {
    long count =
        ports.stream()
            .filter(port -> port.name().startsWith(Assumption.USUAL_NAME))
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

  /** Adds a port that the file lists, so that it keeps its place in the order. */
  private void addListed(XmlElement net) {
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
   * Returns an unused device name: NCCL finds the devices of the file by name, so it would mistake
   * a second device of the same name for the first.
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
