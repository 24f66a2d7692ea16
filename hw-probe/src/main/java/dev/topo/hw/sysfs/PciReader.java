package dev.topo.hw.sysfs;

import dev.topo.model.io.TopologyFormatException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads PCI devices with the rules of {@code nccl:src/graph/xml.cc#ncclTopoGetXmlFromSys}. */
record PciReader(SysfsRoot root) {
  private static final String DEVICES = "/sys/bus/pci/devices/";

  /** Folder in which the driver of Broadcom switches lists links between switches. */
  private static final String SWITCH_LINKS = "/sys/kernel/pci_switch_link/virtual_switch_links/";

  /** Vendor id for which NCCL looks up such links. */
  private static final String BROADCOM = "0x1000";

  private static final Pattern SPEED = Pattern.compile("\\s*([0-9]+(?:\\.[0-9]*)?)");
  private static final Pattern DECIMAL = Pattern.compile("\\s*([0-9]{1,9})");

  List<String> busIds() {
    return root.list("/sys/bus/pci/devices").stream().filter(PciPath::isBusId).toList();
  }

  /** Class of a device; empty if it cannot be read. */
  String pciClass(String busId) {
    return root.attribute(DEVICES + busId + "/class");
  }

  /** Vendor of a device; empty if it cannot be read. */
  String vendor(String busId) {
    return root.attribute(DEVICES + busId + "/vendor");
  }

  Optional<PciPath> path(String busId) {
    String key = PciPath.lookupKey(busId);
    return PciPath.isBusId(key) ? root.realPath(DEVICES + key).map(PciPath::new) : Optional.empty();
  }

  Optional<PciDevice> read(String busId) {
    return path(busId).map(path -> read(PciPath.lookupKey(busId), path));
  }

  /**
   * Devices with these bus ids and all devices above them, by bus id.
   *
   * @throws TopologyFormatException if a device is above itself, which is possible only in a
   *     capture
   */
  Map<String, PciDevice> readWithUpstream(Iterable<String> busIds) {
    Map<String, PciDevice> devices = new LinkedHashMap<>();
    for (String busId : busIds) {
      Set<String> branch = new HashSet<>();
      Optional<PciDevice> next = read(busId);
      while (next.isPresent() && devices.putIfAbsent(next.get().busId(), next.get()) == null) {
        branch.add(next.get().busId());
        next = next.get().upstream().flatMap(this::read);
      }
      if (next.isPresent() && branch.contains(next.get().busId())) {
        throw aboveItself(next.get().busId());
      }
    }
    return devices;
  }

  private TopologyFormatException aboveItself(String busId) {
    return new TopologyFormatException(
        DEVICES + busId,
        "is %s, expected a PCI device that is not above itself"
            .formatted(path(busId).map(PciPath::text).orElse("")));
  }

  private PciDevice read(String busId, PciPath path) {
    String text = path.text();
    String port = path.parent().text();
    String vendor = root.attribute(text + "/vendor");
    return new PciDevice(
        busId,
        root.attribute(text + "/class"),
        vendor,
        root.attribute(text + "/device"),
        root.attribute(text + "/subsystem_vendor"),
        root.attribute(text + "/subsystem_device"),
        slower(root.attribute(text + "/max_link_speed"), root.attribute(port + "/max_link_speed")),
        Math.min(
            width(root.attribute(text + "/max_link_width")),
            width(root.attribute(port + "/max_link_width"))),
        root.attribute(text + "/numa_node"),
        path.upstream(),
        vendor.equals(BROADCOM) ? peerSwitches(busId) : List.of());
  }

  private List<String> peerSwitches(String busId) {
    return root.list(SWITCH_LINKS + busId).stream()
        .filter(PciPath::isBusId)
        .filter(peer -> path(peer).isPresent())
        .toList();
  }

  /**
   * Slower of two speeds, the device's if both are equal. A text that is not a number counts as the
   * fastest.
   */
  static String slower(String device, String port) {
    return speed(port) < speed(device) ? port : device;
  }

  private static float speed(String text) {
    Matcher number = SPEED.matcher(text);
    return number.lookingAt() ? Float.parseFloat(number.group(1)) : Float.MAX_VALUE;
  }

  static int width(String text) {
    Matcher number = DECIMAL.matcher(text);
    return number.lookingAt() ? Integer.parseInt(number.group(1)) : 0;
  }
}
