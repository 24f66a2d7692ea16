package dev.topo.probe.sysfs.network;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.SocketException;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Which interfaces have addresses, and of which family; sysfs does not say. The addresses
 * themselves are not kept.
 *
 * @param families the families by interface; empty where nobody knows, and each interface is then
 *     taken to have an IPv4 address
 */
public record InterfaceAddresses(Optional<SortedMap<String, Set<AddressFamily>>> families) {
  /** Nobody knows. */
  public static final InterfaceAddresses UNKNOWN = new InterfaceAddresses(Optional.empty());

  public InterfaceAddresses {
    families = families.map(map -> Collections.unmodifiableSortedMap(new TreeMap<>(map)));
  }

  public static InterfaceAddresses ofThisMachine() {
    SortedMap<String, Set<AddressFamily>> families = new TreeMap<>();
    try {
      java.net.NetworkInterface.networkInterfaces()
          .forEach(
              card -> {
                Set<AddressFamily> found = EnumSet.noneOf(AddressFamily.class);
                card.inetAddresses()
                    .filter(address -> !isIpv6Loopback(address))
                    .forEach(address -> found.add(family(address)));
                families.put(card.getName(), found);
              });
    } catch (SocketException e) {
      return UNKNOWN;
    }
    return new InterfaceAddresses(Optional.of(families));
  }

  private static AddressFamily family(InetAddress address) {
    return address instanceof Inet4Address ? AddressFamily.INET : AddressFamily.INET6;
  }

  /** NCCL passes over {@code ::1} ({@code nccl:src/misc/socket.cc#findInterfaces}). */
  private static boolean isIpv6Loopback(InetAddress address) {
    return family(address) == AddressFamily.INET6 && address.isLoopbackAddress();
  }

  /** From the lines that {@link #toText} writes; lines of another form are passed over. */
  public static InterfaceAddresses parse(String text) {
    SortedMap<String, Set<AddressFamily>> families = new TreeMap<>();
    for (String line : text.lines().toList()) {
      String[] words = line.strip().split("\\s+", -1);
      if (words[0].isEmpty() || words[0].startsWith("#")) {
        continue;
      }
      Set<AddressFamily> found = EnumSet.noneOf(AddressFamily.class);
      for (AddressFamily family : AddressFamily.values()) {
        for (int i = 1; i < words.length; i++) {
          if (words[i].equalsIgnoreCase(family.name())) {
            found.add(family);
          }
        }
      }
      families.put(words[0], found);
    }
    return new InterfaceAddresses(Optional.of(families));
  }

  /** One line per interface: {@code eth0 inet inet6}; empty where nobody knows. */
  public String toText() {
    return families
        .map(
            map ->
                map.entrySet().stream()
                    .map(
                        entry ->
                            entry.getKey()
                                + entry.getValue().stream()
                                    .sorted()
                                    .map(
                                        family -> family == AddressFamily.INET ? " inet" : " inet6")
                                    .collect(Collectors.joining())
                                + "\n")
                    .collect(Collectors.joining()))
        .orElse("");
  }

  Set<AddressFamily> of(String name) {
    return families.map(map -> map.getOrDefault(name, Set.of())).orElse(Set.of(AddressFamily.INET));
  }
}
