package dev.topo.inspect.edit;

import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.xml.Vocabulary;
import dev.topo.model.xml.XmlElement;
import dev.topo.model.xml.XmlNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An element of a topology file that can be changed, with the element that it stands in. */
final class Part {
  private final String name;
  private final Map<String, String> attributes;
  private final List<Child> children = new ArrayList<>();
  private SourceLocation location;
  private @Nullable Part parent;

  /** What stands in an element: another, or something that is kept as it is. */
  private sealed interface Child {
    record Inner(Part part) implements Child {}

    record Other(XmlNode node) implements Child {}
  }

  Part(String name, Map<String, String> attributes, SourceLocation location) {
    this.name = name;
    this.attributes = new LinkedHashMap<>(attributes);
    this.location = location;
  }

  static Part of(XmlElement element) {
    Part part = new Part(element.name(), element.attributes(), element.location());
    for (XmlNode child : element.children()) {
      if (child instanceof XmlElement inner) {
        part.append(of(inner));
      } else {
        part.children.add(new Child.Other(child));
      }
    }
    return part;
  }

  XmlElement toElement() {
    List<XmlNode> nodes = new ArrayList<>();
    for (Child child : children) {
      nodes.add(
          child instanceof Child.Inner inner
              ? inner.part.toElement()
              : ((Child.Other) child).node());
    }
    return new XmlElement(name, attributes, nodes, location);
  }

  String name() {
    return name;
  }

  boolean is(String elementName) {
    return name.equals(elementName);
  }

  Map<String, String> attributes() {
    return attributes;
  }

  String attribute(String attributeName) {
    return attributes.getOrDefault(attributeName, "");
  }

  /** Sets an attribute; what is wrong with it is then said of the edit. */
  void set(String attributeName, String value, SourceLocation edit) {
    attributes.put(attributeName, value);
    location = edit;
  }

  /** The element that it stands in; empty for the outermost and for one that is taken out. */
  Optional<Part> parent() {
    return Optional.ofNullable(parent);
  }

  List<Part> children() {
    List<Part> parts = new ArrayList<>();
    for (Child child : children) {
      if (child instanceof Child.Inner inner) {
        parts.add(inner.part);
      }
    }
    return parts;
  }

  List<Part> children(String elementName) {
    return children().stream().filter(child -> child.is(elementName)).toList();
  }

  /** Itself and what NCCL reads below it, in the order of the file. */
  void walk(Consumer<Part> visitor) {
    visitor.accept(this);
    for (Part child : children()) {
      if (Vocabulary.TOPOLOGY.isReadInside(name, child.name)) {
        child.walk(visitor);
      }
    }
  }

  /** The elements with this name at or below it, in the order of the file. */
  List<Part> all(String elementName) {
    List<Part> found = new ArrayList<>();
    walk(
        part -> {
          if (part.is(elementName)) {
            found.add(part);
          }
        });
    return found;
  }

  void append(Part child) {
    child.parent = this;
    children.add(new Child.Inner(child));
  }

  /** Takes it out of the element that it stands in. */
  void detach() {
    Part from = parent;
    if (from != null) {
      from.children.removeIf(child -> child instanceof Child.Inner inner && inner.part == this);
      parent = null;
    }
  }

  boolean isWithin(Part other) {
    for (Part part = this; part != null; part = part.parent) {
      if (part == other) {
        return true;
      }
    }
    return false;
  }

  /** A bridge or switch: a PCI device without GPU and card. */
  boolean isSwitch() {
    return is("pci") && children("gpu").isEmpty() && children("nic").isEmpty();
  }

  /** The PCI device, or the card without one, that a GPU, card or port is part of. */
  Part device() {
    Part part = this;
    while (part.is("net") || part.is("gpu") || part.is("nic")) {
      Part outer = part.parent;
      if (outer == null || outer.is("cpu")) {
        return part;
      }
      part = outer;
    }
    return part;
  }
}
