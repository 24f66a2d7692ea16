package dev.topo.model.xml;

import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A mutable element of a tree: the counterpart of {@link XmlElement}, with a link to its parent.
 * Nodes are equal by identity. Comments keep their place among the children.
 */
public final class XmlTreeNode implements XmlNode {
  private final String name;
  private final Map<String, String> attributes;
  private final List<XmlNode> children = new ArrayList<>();
  private SourceLocation location;
  private @Nullable XmlTreeNode parent;

  /** An element without parent and children. */
  public XmlTreeNode(String name, Map<String, String> attributes, SourceLocation location) {
    this.name = name;
    this.attributes = new LinkedHashMap<>(attributes);
    this.location = location;
  }

  /** A copy of an element with everything below it. */
  public static XmlTreeNode of(XmlElement element) {
    XmlTreeNode node = new XmlTreeNode(element.name(), element.attributes(), element.location());
    for (XmlNode child : element.children()) {
      if (child instanceof XmlElement inner) {
        node.append(of(inner));
      } else {
        node.children.add(child);
      }
    }
    return node;
  }

  /** The current state as an immutable element. */
  public XmlElement toElement() {
    List<XmlNode> nodes = new ArrayList<>(children);
    nodes.replaceAll(child -> child instanceof XmlTreeNode inner ? inner.toElement() : child);
    return new XmlElement(name, attributes, nodes, location);
  }

  public String name() {
    return name;
  }

  /** Location of the element, or of the change that created it. */
  public SourceLocation location() {
    return location;
  }

  public boolean is(String tag) {
    return name.equals(tag);
  }

  /** The attributes in order; read only. */
  public Map<String, String> attributes() {
    return Collections.unmodifiableMap(attributes);
  }

  /** The value of an attribute, if present. */
  public Optional<String> attribute(String attribute) {
    return Optional.ofNullable(attributes.get(attribute));
  }

  /** An attribute as a number in C's notation; 0 without one. */
  public int number(String attribute) {
    try {
      return Integer.decode(attribute(attribute).orElse("0").strip());
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** The value of an attribute; empty text if absent. */
  public String value(String attribute) {
    return attributes.getOrDefault(attribute, "");
  }

  /** Replaces the value of an attribute in its place, or adds the attribute at the end. */
  public void set(String attribute, String value) {
    attributes.put(attribute, value);
  }

  /** Sets an attribute to a number. */
  public void set(String attribute, int value) {
    set(attribute, String.valueOf(value));
  }

  /** Sets an attribute and the location to which messages about this element refer. */
  public void set(String attribute, String value, SourceLocation changedAt) {
    set(attribute, value);
    location = changedAt;
  }

  /** Sets an attribute if it is absent. */
  public void setIfUnset(String attribute, String value) {
    attributes.putIfAbsent(attribute, value);
  }

  /** Sets an attribute to a number if it is absent. */
  public void setIfUnset(String attribute, int value) {
    setIfUnset(attribute, String.valueOf(value));
  }

  public void remove(String attribute) {
    attributes.remove(attribute);
  }

  /** The parent; empty for the root and for a detached element. */
  public Optional<XmlTreeNode> parent() {
    return Optional.ofNullable(parent);
  }

  /** The child elements in order, as a copy. */
  public List<XmlTreeNode> children() {
    return children.stream()
        .filter(XmlTreeNode.class::isInstance)
        .map(XmlTreeNode.class::cast)
        .toList();
  }

  /** The child elements with a tag, in order. */
  public List<XmlTreeNode> children(String tag) {
    return children().stream().filter(child -> child.is(tag)).toList();
  }

  /** The first child element with a tag. */
  public Optional<XmlTreeNode> child(String tag) {
    return children(tag).stream().findFirst();
  }

  /** The first child element with a tag and this value of an attribute. */
  public Optional<XmlTreeNode> child(String tag, String attribute, String value) {
    return children(tag).stream()
        .filter(child -> value.equals(child.attributes.get(attribute)))
        .findFirst();
  }

  /** Adds an element without parent after the last child. */
  public void append(XmlTreeNode child) {
    child.parent = this;
    children.add(child);
  }

  /** Inserts an element without parent before the child element with this index. */
  void insert(int index, XmlTreeNode child) {
    List<XmlTreeNode> nodes = children();
    if (index == nodes.size()) {
      append(child);
      return;
    }
    child.parent = this;
    children.add(children.indexOf(nodes.get(index)), child);
  }

  /** Removes this element, with everything below it, from its parent. */
  public void detach() {
    XmlTreeNode from = parent;
    if (from != null) {
      from.children.remove(this);
      parent = null;
    }
  }

  /** True if this element is another one or below it. */
  public boolean isWithin(XmlTreeNode other) {
    for (XmlTreeNode node = this; node != null; node = node.parent) {
      if (node == other) {
        return true;
      }
    }
    return false;
  }

  /** Visits this element of a topology file and those below it that NCCL reads, in file order. */
  public void walk(Consumer<XmlTreeNode> visitor) {
    visitor.accept(this);
    for (XmlTreeNode child : children()) {
      if (Vocabulary.TOPOLOGY.isReadInside(name, child.name)) {
        child.walk(visitor);
      }
    }
  }

  /** The elements with a tag among those that {@link #walk} visits. */
  public List<XmlTreeNode> all(String tag) {
    List<XmlTreeNode> found = new ArrayList<>();
    walk(
        node -> {
          if (node.is(tag)) {
            found.add(node);
          }
        });
    return found;
  }

  @Override
  public String toString() {
    return "<" + name + " " + attributes + ">";
  }
}
