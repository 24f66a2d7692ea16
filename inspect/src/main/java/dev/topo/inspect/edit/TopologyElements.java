package dev.topo.inspect.edit;

import dev.topo.model.xml.XmlTreeNode;

/** Relations between the elements of a topology file: GPUs, cards and ports on PCI devices. */
final class TopologyElements {
  private TopologyElements() {}

  /** True if an element is a PCI bridge or switch: a PCI device without GPU or network card. */
  static boolean isSwitch(XmlTreeNode node) {
    return node.is("pci") && node.child("gpu").isEmpty() && node.child("nic").isEmpty();
  }

  /** PCI device of a GPU, card or port; for a card directly below a CPU, the card itself. */
  static XmlTreeNode device(XmlTreeNode part) {
    XmlTreeNode node = part;
    while (node.is("net") || node.is("gpu") || node.is("nic")) {
      XmlTreeNode outer = node.parent().orElse(node);
      if (outer == node || outer.is("cpu")) {
        return node;
      }
      node = outer;
    }
    return node;
  }

  /** Bus id of the PCI device of a part. */
  static String busId(XmlTreeNode part) {
    return device(part).value("busid");
  }
}
