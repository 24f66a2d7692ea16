package dev.topo.cli.option;

import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.xml.XmlElement;

/** Checks the devices of a topology file before it is read, for an error that names an option. */
final class DeviceCheck {
  private DeviceCheck() {}

  /**
   * Checks that a machine has GPUs, unless it is no machine at all.
   *
   * @throws TopologyFormatException if it has the PCI tree only; it names the option that completes
   *     it
   */
  static void requireGpu(XmlElement system) {
    if (system.name().equals("system") && has(system, "pci") && !has(system, "gpu")) {
      throw new TopologyFormatException(
          system.location(),
          "<system>: has no gpu, expected at least one <gpu> inside a <pci>,"
              + " or --assume gpu=MODEL if the file contains only the PCI tree");
    }
  }

  private static boolean has(XmlElement element, String name) {
    return element.elements().stream()
        .anyMatch(child -> child.name().equals(name) || has(child, name));
  }
}
