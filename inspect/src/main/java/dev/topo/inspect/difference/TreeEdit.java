package dev.topo.inspect.difference;

import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlNode;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Change of a tree of elements: attributes set, elements removed, elements inserted. Elements are
 * identified by instance: an edit applies to the tree that it was made for. Filled while
 * differences are collected, unchanged afterwards.
 */
final class TreeEdit {
  private final Map<XmlElement, Map<String, Optional<String>>> attributes = new IdentityHashMap<>();
  private final Map<XmlElement, List<XmlElement>> replacements = new IdentityHashMap<>();
  private final Map<XmlElement, List<XmlElement>> atFront = new IdentityHashMap<>();
  private final Map<XmlElement, List<XmlElement>> behind = new IdentityHashMap<>();

  /** Sets an attribute, or removes it if there is no value. */
  TreeEdit set(XmlElement element, String name, Optional<String> value) {
    attributes.computeIfAbsent(element, e -> new LinkedHashMap<>()).put(name, value);
    return this;
  }

  /** Removes an element and leaves some elements from below it in its place. */
  TreeEdit drop(XmlElement element, List<XmlElement> survivors) {
    replacements.put(element, List.copyOf(survivors));
    return this;
  }

  /** Inserts an element before the children of another. */
  TreeEdit putFirst(XmlElement parent, XmlElement added) {
    atFront.computeIfAbsent(parent, e -> new ArrayList<>()).add(added);
    return this;
  }

  TreeEdit putBehind(XmlElement sibling, XmlElement added) {
    behind.computeIfAbsent(sibling, e -> new ArrayList<>()).add(added);
    return this;
  }

  /** Copy of a tree with the change applied. */
  XmlElement applyTo(XmlElement element) {
    List<XmlNode> children = new ArrayList<>();
    atFront.getOrDefault(element, List.of()).forEach(added -> children.add(applyTo(added)));
    for (XmlNode child : element.children()) {
      if (child instanceof XmlElement inner) {
        List<XmlElement> left = replacements.get(inner);
        if (left == null) {
          children.add(applyTo(inner));
        } else {
          left.forEach(survivor -> children.add(applyTo(survivor)));
        }
        behind.getOrDefault(inner, List.of()).forEach(added -> children.add(applyTo(added)));
      } else {
        children.add(child);
      }
    }
    Map<String, String> values = new LinkedHashMap<>(element.attributes());
    attributes
        .getOrDefault(element, Map.of())
        .forEach(
            (name, value) -> {
              if (value.isPresent()) {
                values.put(name, value.get());
              } else {
                values.remove(name);
              }
            });
    return element.with(values, children);
  }
}
