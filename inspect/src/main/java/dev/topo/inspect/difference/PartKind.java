package dev.topo.inspect.difference;

import dev.topo.model.xml.XmlDocument.XmlElement;

/** Kinds of elements in a topology file; only elements of one kind are compared. */
enum PartKind {
  MACHINE("machine"),
  CPU("cpu"),
  /** A PCI function without GPU or NIC: a switch or a bridge. */
  BRIDGE("pci"),
  /** The PCI function of a GPU. */
  GPU_SLOT("GPU"),
  GPU("GPU"),
  /** The PCI function of a network card. */
  NIC_SLOT("NIC"),
  NIC("NIC"),
  PORT("NIC"),
  C2C("c2c of GPU"),
  OTHER("element");

  private final String noun;

  PartKind(String noun) {
    this.noun = noun;
  }

  /** Noun in messages. */
  String noun() {
    return noun;
  }

  static PartKind of(XmlElement element) {
    return switch (element.name()) {
      case "system" -> MACHINE;
      case "cpu" -> CPU;
      case "pci" -> ofPci(element);
      case "gpu" -> GPU;
      case "nic" -> NIC;
      case "net" -> PORT;
      case "c2c" -> C2C;
      default -> OTHER;
    };
  }

  private static PartKind ofPci(XmlElement element) {
    if (!element.elements("gpu").isEmpty()) {
      return GPU_SLOT;
    }
    return element.elements("nic").isEmpty() ? BRIDGE : NIC_SLOT;
  }
}
