package dev.topo.model.xml;

import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.TopologyFormatException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A file: its root and the comments before and after it.
 *
 * @param before comments before the root
 * @param root the root
 * @param after comments after the root
 */
public record XmlDocument(List<XmlComment> before, XmlElement root, List<XmlComment> after) {
  public XmlDocument {
    before = List.copyOf(before);
    after = List.copyOf(after);
  }

  /**
   * An element of a file.
   *
   * @param name the tag
   * @param attributes names and values, in order
   * @param children elements and comments, in order
   * @param location where the element begins
   */
  public record XmlElement(
      String name, Map<String, String> attributes, List<XmlNode> children, SourceLocation location)
      implements XmlNode {
    public XmlElement {
      attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
      children = List.copyOf(children);
    }

    /** This element and those below it, in order. */
    public Stream<XmlElement> all() {
      return Stream.concat(Stream.of(this), elements().stream().flatMap(XmlElement::all));
    }

    /** The child elements, in order. */
    public List<XmlElement> elements() {
      return children.stream()
          .filter(XmlElement.class::isInstance)
          .map(XmlElement.class::cast)
          .toList();
    }

    /** The child elements with this name, in order. */
    public List<XmlElement> elements(String childName) {
      return elements().stream().filter(child -> child.name.equals(childName)).toList();
    }

    /** Returns this element with its children replaced. */
    public XmlElement with(List<? extends XmlNode> others) {
      return with(attributes, others);
    }

    /** Returns this element with its attributes and children replaced. */
    public XmlElement with(Map<String, String> values, List<? extends XmlNode> others) {
      return new XmlElement(name, values, List.copyOf(others), location);
    }

    /**
     * Returns the children with each element replaced by any number of elements; comments are kept.
     *
     * @param replaced maps a child element to its replacements
     */
    public List<XmlNode> replaced(Function<XmlElement, Stream<XmlElement>> replaced) {
      return children.stream()
          .<XmlNode>flatMap(
              child ->
                  child instanceof XmlElement element ? replaced.apply(element) : Stream.of(child))
          .toList();
    }

    /** An exception about this element: {@code <gpu>: message}. */
    public TopologyFormatException error(String message) {
      return new TopologyFormatException(location, "<" + name + ">: " + message);
    }

    /** The value of an attribute; empty text if absent. */
    public String value(String attributeName) {
      return attributes.getOrDefault(attributeName, "");
    }

    /** The value of an attribute, if present. */
    public Optional<String> attribute(String attributeName) {
      return Optional.ofNullable(attributes.get(attributeName));
    }
  }
}
