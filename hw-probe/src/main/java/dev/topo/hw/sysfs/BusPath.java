package dev.topo.hw.sysfs;

/**
 * Where a network device is, and the bus it is on. One on another bus than PCI, as virtio or USB,
 * has no place in the PCI tree for NCCL, wherever it is plugged in.
 *
 * @param place the path in sysfs, all links followed
 * @param subsystem the bus: {@code pci}, {@code virtio}, {@code usb}; empty if not known
 */
record BusPath(PciPath place, String subsystem) {
  public boolean isPci() {
    return subsystem.equals("pci");
  }

  public static BusPath read(SysfsRoot root, String place) {
    String bus = root.realPath(place + "/subsystem").map(FileTree::name).orElse("");
    return new BusPath(new PciPath(place), bus);
  }
}
