package dev.topo.hw.sysfs;

import dev.topo.hw.sysfs.InterfaceAddresses.AddressFamily;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Network interface of the kernel.
 *
 * @param name {@code eth0}
 * @param running whether it is up and has a carrier
 * @param families families of its addresses
 * @param speedMbps the number in its file {@code speed}; 0 if it cannot be read, negative if
 *     unknown
 * @param path its location; empty for an interface without hardware
 */
public record NetworkInterface(
    String name,
    int index,
    boolean running,
    Set<AddressFamily> families,
    int speedMbps,
    Optional<BusPath> path) {
  private static final String CLASS = "/sys/class/net";
  private static final Pattern NUMBER = Pattern.compile("\\s*(-?[0-9]{1,7}).*", Pattern.DOTALL);
  private static final Pattern FLAGS = Pattern.compile("0x([0-9a-fA-F]{1,8})");

  /** {@code IFF_UP} of Linux. */
  private static final int UP = 1;

  /** Bytes of the file {@code speed} that NCCL reads ({@code ncclNetSocketGetSpeed}). */
  private static final int SPEED_LENGTH = 8;

  public NetworkInterface {
    families =
        families.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(families));
  }

  /** Reads the interfaces in the order of the kernel's interface numbers. */
  static List<NetworkInterface> readAll(SysfsRoot root, InterfaceAddresses addresses) {
    return root.list(CLASS).stream()
        .filter(name -> root.text(CLASS + "/" + name + "/ifindex").isPresent())
        .map(name -> read(root, name, addresses.of(name)))
        .sorted(
            Comparator.comparingInt(NetworkInterface::index).thenComparing(NetworkInterface::name))
        .toList();
  }

  private static NetworkInterface read(SysfsRoot root, String name, Set<AddressFamily> families) {
    String folder = CLASS + "/" + name;
    Optional<String> place = root.realPath(folder + "/device");
    return new NetworkInterface(
        name,
        number(root.text(folder + "/ifindex").orElse("")),
        isUp(root.text(folder + "/flags").orElse(""))
            && hasCarrier(root.text(folder + "/operstate").orElse("")),
        families,
        speed(root.read(folder + "/speed").orElse("")),
        place.map(path -> BusPath.read(root, path)));
  }

  static int speed(String text) {
    return number(text.length() <= SPEED_LENGTH ? text : text.substring(0, SPEED_LENGTH));
  }

  private static int number(String text) {
    Matcher number = NUMBER.matcher(text);
    return number.matches() ? Integer.parseInt(number.group(1)) : 0;
  }

  private static boolean isUp(String flags) {
    Matcher hex = FLAGS.matcher(flags);
    return hex.matches() && (Integer.parseUnsignedInt(hex.group(1), 16) & UP) != 0;
  }

  /**
   * True if the interface is operational, as {@code netif_oper_up} of Linux: an unknown state
   * counts as up.
   */
  private static boolean hasCarrier(String operstate) {
    return operstate.equals("up") || operstate.equals("unknown");
  }
}
