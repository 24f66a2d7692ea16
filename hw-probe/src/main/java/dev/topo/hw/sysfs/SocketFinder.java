package dev.topo.hw.sysfs;

import dev.topo.hw.sysfs.InterfaceAddresses.AddressFamily;
import dev.topo.model.nic.NameFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the interfaces that NCCL uses for sockets, in its order ({@code
 * nccl:src/misc/socket.cc#ncclFindInterfaces}). The order is as in {@code getifaddrs}: all IPv4
 * addresses first, then IPv6, each by the kernel's number of the interface. The interface of the
 * address in NCCL_COMM_ID precedes all except InfiniBand interfaces.
 */
record SocketFinder(List<NetworkInterface> interfaces, NetSettings settings) {
  private static final String FIRST_GUESS = "ib";

  /** Name filters to try in order; the first with a match is used. */
  private static final List<String> GUESSES = List.of("^docker,lo,virbr", "docker", "lo", "virbr");

  /** Speed that NCCL assumes if it is unknown, in Mb/s: 10 Gb/s. */
  private static final int DEFAULT_MBPS = 10_000;

  /** Maximum number of connections, from {@code ncclNetSocketGetProperties}. */
  private static final int MAX_CONNECTIONS = 65_536;

  List<NetPort> find() {
    List<NetworkInterface> found = select();
    List<NetPort> ports = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      NetworkInterface card = found.get(i);
      ports.add(
          new NetPort(
              card.name(),
              card.path().filter(BusPath::isPci).map(path -> path.place().name()),
              card.speedMbps() > 0 ? card.speedMbps() : DEFAULT_MBPS,
              0,
              i,
              MAX_CONNECTIONS,
              false,
              false,
              LinkLayer.ETHERNET));
    }
    return ports;
  }

  private List<NetworkInterface> select() {
    if (settings.socketNames().isPresent()) {
      return matching(settings.socketNames().get());
    }
    List<NetworkInterface> first = guessed(FIRST_GUESS);
    if (!first.isEmpty()) {
      return first;
    }
    Optional<NetworkInterface> meeting =
        interfaces.stream()
            .filter(card -> settings.meetingInterface().filter(card.name()::equals).isPresent())
            .findFirst();
    if (meeting.isPresent()) {
      return List.of(meeting.get());
    }
    return GUESSES.stream()
        .map(this::guessed)
        .filter(found -> !found.isEmpty())
        .findFirst()
        .orElse(List.of());
  }

  private List<NetworkInterface> guessed(String guess) {
    return matching(NameFilter.parse(guess, NetSettings.MAX_SOCKETS));
  }

  private List<NetworkInterface> matching(NameFilter filter) {
    List<NetworkInterface> found = new ArrayList<>();
    for (AddressFamily family : AddressFamily.values()) {
      for (NetworkInterface card : interfaces) {
        if (found.size() < NetSettings.MAX_SOCKETS
            && card.running()
            && card.families().contains(family)
            && isWanted(family)
            && filter.allows(card.name())
            && !found.contains(card)) {
          found.add(card);
        }
      }
    }
    return found;
  }

  private boolean isWanted(AddressFamily family) {
    Optional<AddressFamily> forced = settings.socketFamily();
    return forced.isEmpty() || forced.get() == family;
  }
}
