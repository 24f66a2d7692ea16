package dev.topo.probe.assemble;

import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.xml.XmlElement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An element while its tree is being built. */
final class TreeNode {
  private final String name;
  private final Map<String, String> attributes = new LinkedHashMap<>();
  private final List<TreeNode> children = new ArrayList<>();
  private @Nullable TreeNode parent;

  TreeNode(String name) {
    this.name = name;
  }

  boolean is(String tag) {
    return name.equals(tag);
  }

  Optional<TreeNode> parent() {
    return Optional.ofNullable(parent);
  }

  List<TreeNode> children() {
    return children;
  }

  Optional<String> get(String attribute) {
    return Optional.ofNullable(attributes.get(attribute));
  }

  /** The value as a number in C's notation; 0 without one. */
  int number(String attribute) {
    try {
      return Integer.decode(get(attribute).orElse("0").strip());
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** Replaces a value in its place, or adds it at the end. */
  void set(String attribute, String value) {
    attributes.put(attribute, value);
  }

  void setIfUnset(String attribute, String value) {
    attributes.putIfAbsent(attribute, value);
  }

  void remove(String attribute) {
    attributes.remove(attribute);
  }

  Map<String, String> attributes() {
    return attributes;
  }

  void append(TreeNode child) {
    insert(children.size(), child);
  }

  void insert(int index, TreeNode child) {
    children.add(index, child);
    child.parent = this;
  }

  Optional<TreeNode> child(String tag) {
    return children.stream().filter(child -> child.is(tag)).findFirst();
  }

  Optional<TreeNode> child(String tag, String attribute, String value) {
    return children.stream()
        .filter(child -> child.is(tag) && value.equals(child.attributes.get(attribute)))
        .findFirst();
  }

  /** Whether an element has the same name and the same attributes, in any order. */
  boolean isSameElement(TreeNode other) {
    return name.equals(other.name) && attributes.equals(other.attributes);
  }

  TreeNode copyWithoutChildren() {
    TreeNode copy = new TreeNode(name);
    copy.attributes.putAll(attributes);
    return copy;
  }

  XmlElement toElement(SourceLocation location) {
    return new XmlElement(
        name,
        attributes,
        List.copyOf(children.stream().map(child -> child.toElement(location)).toList()),
        location);
  }
}
