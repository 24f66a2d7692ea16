package dev.topo.inspect.difference;

import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An element of a file with its place in the machine. Links to other devices are no parts, see
 * {@link MachineTree#links}. Parts are equal only to themselves.
 */
final class MachinePart {
  /**
   * Attributes that say which one a device is, not what it is like; numbers are compared by order.
   */
  private static final Map<PartKind, Set<String>> IDENTITY =
      Map.of(
          PartKind.MACHINE, Set.of("name"),
          PartKind.CPU, Set.of("host_hash"),
          PartKind.BRIDGE, Set.of("busid"),
          PartKind.GPU_SLOT, Set.of("busid"),
          PartKind.NIC_SLOT, Set.of("busid"),
          PartKind.GPU, Set.of("dev", "rank", "keep"),
          PartKind.PORT, Set.of("dev", "guid", "keep"));

  private final XmlElement element;
  private final PartKind kind;
  private final Optional<MachinePart> parent;
  private final int index;
  private final List<MachinePart> children = new ArrayList<>();
  private final Map<String, String> attributes;
  private int size = 1;

  /** A part with its index in the file among all parts. */
  MachinePart(XmlElement element, Optional<MachinePart> parent, int index) {
    this.element = element;
    this.kind = PartKind.of(element);
    this.parent = parent;
    this.index = index;
    Map<String, String> compared = new LinkedHashMap<>(element.attributes());
    compared.keySet().removeAll(IDENTITY.getOrDefault(kind, Set.of()));
    this.attributes = Collections.unmodifiableMap(compared);
    parent.ifPresent(p -> p.children.add(this));
  }

  /** To be called once all parts below are there. */
  void close() {
    size = 1 + children.stream().mapToInt(MachinePart::size).sum();
  }

  XmlElement element() {
    return element;
  }

  PartKind kind() {
    return kind;
  }

  Optional<MachinePart> parent() {
    return parent;
  }

  int index() {
    return index;
  }

  List<MachinePart> children() {
    return Collections.unmodifiableList(children);
  }

  List<MachinePart> children(PartKind of) {
    return children.stream().filter(child -> child.kind == of).toList();
  }

  /** The attributes that are compared one by one, in the order of the file. */
  Map<String, String> attributes() {
    return attributes;
  }

  int size() {
    return size;
  }

  /** This part and all below, in the order of the file. */
  List<MachinePart> all() {
    List<MachinePart> parts = new ArrayList<>(List.of(this));
    children.forEach(child -> parts.addAll(child.all()));
    return parts;
  }

  boolean isPci() {
    return element.name().equals("pci");
  }

  /** The bus id of a PCI function as written in the file; empty for anything else. */
  String busId() {
    return isPci() ? element.attribute("busid").orElse("") : "";
  }
}
