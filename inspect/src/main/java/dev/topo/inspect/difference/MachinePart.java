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
 * Element of a file with its place in the machine. Links to other devices are not parts, see {@link
 * MachineTree#links}. Parts are equal only to themselves.
 */
final class MachinePart {
  /** Attributes that identify a device rather than describe it; numbers are compared by order. */
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

  /** Part with its index among all parts of the file. */
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

  /** Completes the part once all parts below it are present. */
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

  /** Attributes that are compared one by one, in the order of the file. */
  Map<String, String> attributes() {
    return attributes;
  }

  int size() {
    return size;
  }

  /** This part and all parts below, in the order of the file. */
  List<MachinePart> all() {
    List<MachinePart> parts = new ArrayList<>(List.of(this));
    children.forEach(child -> parts.addAll(child.all()));
    return parts;
  }

  boolean isPci() {
    return element.name().equals("pci");
  }

  /** Bus id of a PCI function as written in the file; empty for other parts. */
  String busId() {
    return isPci() ? element.attribute("busid").orElse("") : "";
  }
}
