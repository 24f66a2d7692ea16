package dev.topo.probe.sysfs.network;

import dev.topo.probe.sysfs.BusPath;
import dev.topo.probe.sysfs.SysfsRoot;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads network interfaces, in the order of the kernel's numbers. */
public record NetworkInterfaceReader(SysfsRoot root, InterfaceAddresses addresses) {
  private static final String CLASS = "/sys/class/net/";
  private static final Pattern NUMBER = Pattern.compile("\\s*(-?[0-9]{1,7}).*", Pattern.DOTALL);
  private static final Pattern FLAGS = Pattern.compile("0x([0-9a-fA-F]{1,8})");

  /** {@code IFF_UP} of Linux. */
  private static final int UP = 1;

  /** How much NCCL reads of the file {@code speed} ({@code ncclNetSocketGetSpeed}). */
  private static final int SPEED_LENGTH = 8;

  public List<NetworkInterface> read() {
    return root.list("/sys/class/net").stream()
        .filter(name -> root.text(CLASS + name + "/ifindex").isPresent())
        .map(this::read)
        .sorted(
            Comparator.comparingInt(NetworkInterface::index).thenComparing(NetworkInterface::name))
        .toList();
  }

  private NetworkInterface read(String name) {
    String folder = CLASS + name;
    Optional<String> place = root.realPath(folder + "/device");
    return new NetworkInterface(
        name,
        number(root.text(folder + "/ifindex").orElse("")),
        isUp(root.text(folder + "/flags").orElse(""))
            && hasCarrier(root.text(folder + "/operstate").orElse("")),
        addresses.of(name),
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

  /** As {@code netif_oper_up} of Linux: an unknown state counts as up. */
  private static boolean hasCarrier(String operstate) {
    return operstate.equals("up") || operstate.equals("unknown");
  }
}
