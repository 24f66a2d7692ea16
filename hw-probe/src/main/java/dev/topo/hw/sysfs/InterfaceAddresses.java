package dev.topo.hw.sysfs;

import dev.topo.model.Labels;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.SocketException;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Interfaces with addresses and their address families, which sysfs does not contain. The addresses
 * themselves are not kept.
 *
 * @param families the families by interface; empty if unknown: each interface is then assumed to
 *     have an IPv4 address
 */
public record InterfaceAddresses(Optional<SortedMap<String, Set<AddressFamily>>> families) {
  /** Unknown families. */
  public static final InterfaceAddresses UNKNOWN = new InterfaceAddresses(Optional.empty());

  /** Address families that NCCL's sockets use. */
  public enum AddressFamily {
    /** IPv4. */
    INET,
    /** IPv6. */
    INET6
  }

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

  /** True for {@code ::1}, which NCCL ignores ({@code nccl:src/misc/socket.cc#findInterfaces}). */
  private static boolean isIpv6Loopback(InetAddress address) {
    return family(address) == AddressFamily.INET6 && address.isLoopbackAddress();
  }

  /** Parses the lines that {@link #toText} writes; malformed lines are ignored. */
  public static InterfaceAddresses parse(String text) {
    SortedMap<String, Set<AddressFamily>> families = new TreeMap<>();
    for (String line : text.lines().toList()) {
      String[] words = line.strip().split("\\s+", -1);
      if (words[0].isEmpty() || words[0].startsWith("#")) {
        continue;
      }
      Set<AddressFamily> found = EnumSet.noneOf(AddressFamily.class);
      for (AddressFamily family : AddressFamily.values()) {
        if (Arrays.stream(words).skip(1).anyMatch(family.name()::equalsIgnoreCase)) {
          found.add(family);
        }
      }
      families.put(words[0], found);
    }
    return new InterfaceAddresses(Optional.of(families));
  }

  /**
   * Text with one line per interface: {@code eth0 inet inet6}; empty if the families are unknown.
   */
  public String toText() {
    StringBuilder text = new StringBuilder();
    families
        .orElse(new TreeMap<>())
        .forEach(
            (name, found) -> {
              text.append(name);
              found.stream().sorted().forEach(family -> text.append(' ').append(word(family)));
              text.append('\n');
            });
    return text.toString();
  }

  private static String word(AddressFamily family) {
    return Labels.of(family);
  }

  Set<AddressFamily> of(String name) {
    return families.map(map -> map.getOrDefault(name, Set.of())).orElse(Set.of(AddressFamily.INET));
  }
}
