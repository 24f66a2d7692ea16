package dev.topo.inspect.log;

import dev.topo.inspect.log.Fact.Topic;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Comparison of a file dumped by NCCL with topo's, element by element: a fact for each element of
 * either, with its attributes. The order of elements counts, that of attributes does not.
 */
public final class FileComparison {
  /** Attribute derived from the host's name and boot; it only tells hosts apart. */
  private static final String HOST_HASH = "host_hash";

  /** Attributes that identify an element among those of its kind. */
  private static final List<String> NAMES =
      List.of("busid", "name", "numaid", "id", "target", "dev");

  private final Topic topic;
  private final Facts facts;
  private final List<String> leftOut;

  private FileComparison(Topic topic, String source, List<String> leftOut) {
    this.topic = topic;
    this.facts = new Facts(source);
    this.leftOut = leftOut;
  }

  /**
   * Compares two files.
   *
   * @param source name of NCCL's file
   */
  public static List<Fact> of(Topic topic, String source, XmlElement nccl, XmlElement topo) {
    return of(topic, source, nccl, topo, List.of());
  }

  /**
   * Compares two files without some attributes.
   *
   * @param source name of NCCL's file
   * @param leftOut the ignored attributes, each as {@code net.speed}
   */
  public static List<Fact> of(
      Topic topic, String source, XmlElement nccl, XmlElement topo, List<String> leftOut) {
    FileComparison comparison = new FileComparison(topic, source, leftOut);
    comparison.compare("", Optional.of(nccl), Optional.of(topo));
    return comparison.facts.list();
  }

  private void compare(String parent, Optional<XmlElement> nccl, Optional<XmlElement> topo) {
    XmlElement named = nccl.orElseGet(topo::orElseThrow);
    String where = parent + (parent.isEmpty() ? "" : " > ") + label(named);
    facts.add(topic, where, text(nccl), text(topo));
    List<XmlElement> ncclElements = nccl.map(XmlElement::elements).orElse(List.of());
    List<XmlElement> topoElements = topo.map(XmlElement::elements).orElse(List.of());
    for (int i = 0; i < Math.max(ncclElements.size(), topoElements.size()); i++) {
      compare(where, at(ncclElements, i), at(topoElements, i));
    }
  }

  private static Optional<XmlElement> at(List<XmlElement> elements, int i) {
    return i < elements.size() ? Optional.of(elements.get(i)) : Optional.empty();
  }

  private static String label(XmlElement element) {
    return element.name()
        + NAMES.stream()
            .flatMap(name -> element.attribute(name).stream())
            .findFirst()
            .map(value -> " " + value)
            .orElse("");
  }

  private String text(Optional<XmlElement> element) {
    if (element.isEmpty()) {
      return Facts.NOTHING;
    }
    Map<String, String> attributes = new TreeMap<>(element.get().attributes());
    String name = element.get().name();
    attributes
        .keySet()
        .removeIf(key -> key.equals(HOST_HASH) || leftOut.contains(name + "." + key));
    return name
        + attributes.entrySet().stream()
            .map(entry -> " " + entry.getKey() + "=\"" + entry.getValue() + '"')
            .collect(Collectors.joining());
  }
}
