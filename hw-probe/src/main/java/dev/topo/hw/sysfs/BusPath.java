package dev.topo.hw.sysfs;

/**
 * Location and bus of a network device. A device on another bus than PCI, such as virtio or USB,
 * has no place in NCCL's PCI tree, wherever it is attached.
 *
 * @param place the path in sysfs, with all links followed
 * @param subsystem the bus: {@code pci}, {@code virtio}, {@code usb}; empty if unknown
 */
record BusPath(PciPath place, String subsystem) {
  boolean isPci() {
    return subsystem.equals("pci");
  }

  static BusPath read(SysfsRoot root, String place) {
    String bus = root.realPath(place + "/subsystem").map(FileTree::name).orElse("");
    return new BusPath(new PciPath(place), bus);
  }
}
