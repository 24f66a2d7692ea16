package dev.topo.inspect.difference;

import dev.topo.model.io.TextWriter;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Adapts branches of the second machine to the first: with its bus ids and its host, and free ids
 * where an id is taken.
 */
final class BranchCopier {
  private final Alignment alignment;
  private final Set<String> taken = new HashSet<>();

  BranchCopier(Alignment alignment) {
    this.alignment = alignment;
    alignment.a().parts().forEach(part -> taken.add(part.busId()));
  }

  /** Branch of the second machine without the parts that have a partner. */
  XmlElement copy(MachinePart partB) {
    List<XmlNode> children = new ArrayList<>();
    alignment.b().links(partB).forEach(link -> children.add(link(link)));
    partB.children().stream()
        .filter(child -> alignment.inA(child).isEmpty())
        .forEach(child -> children.add(copy(child)));
    return shell(partB, children);
  }

  /** Link of the second machine, at its end in the first. */
  XmlElement link(MachineTree.Link link) {
    Map<String, String> attributes = new LinkedHashMap<>(link.element().attributes());
    link.target().ifPresent(target -> attributes.put("target", busId(target)));
    return link.element().with(attributes, List.of());
  }

  /** Part of the second machine with other children. */
  XmlElement shell(MachinePart partB, List<XmlNode> children) {
    Map<String, String> attributes = new LinkedHashMap<>(partB.element().attributes());
    switch (partB.kind()) {
      case CPU -> host().ifPresent(host -> attributes.put("host_hash", host));
      case PORT -> attributes.put("guid", card(partB));
      default -> {
        if (partB.isPci()) {
          attributes.put("busid", busId(partB));
        }
      }
    }
    return partB.element().with(attributes, children);
  }

  private Optional<String> host() {
    return alignment.a().parts(PartKind.CPU).stream()
        .findFirst()
        .flatMap(cpu -> cpu.element().attribute("host_hash"));
  }

  /** Bus id in the first machine of a PCI function of the second. */
  private String busId(MachinePart partB) {
    Optional<MachinePart> partner = alignment.inA(partB);
    if (partner.isPresent()) {
      return partner.get().busId();
    }
    if (!taken.contains(partB.busId())) {
      return partB.busId();
    }
    // A PCI domain that no machine uses.
    return TextWriter.format("7fff:%02x:%02x.0", partB.index() >> 5, partB.index() & 31);
  }

  /** Id of the card that a port shares, or a free one. */
  private String card(MachinePart portB) {
    Object card = alignment.b().card(portB);
    return alignment.b().parts(PartKind.PORT).stream()
        .filter(other -> alignment.b().card(other).equals(card))
        .flatMap(other -> alignment.inA(other).stream())
        .flatMap(mate -> mate.element().attribute("guid").stream())
        .findFirst()
        .orElse(TextWriter.format("0x7fff%08x", String.valueOf(card).hashCode()));
  }
}
