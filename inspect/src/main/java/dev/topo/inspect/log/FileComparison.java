package dev.topo.inspect.log;

import dev.topo.inspect.log.Fact.Topic;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A file that NCCL dumped held against ours, element by element: a fact for each element of either,
 * with its attributes. Order of elements counts, order of attributes does not.
 */
public final class FileComparison {
  /** Made of the host's name and start; differs between hosts and has no other meaning. */
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
   * @param source where NCCL's is
   */
  public static List<Fact> of(Topic topic, String source, XmlElement nccl, XmlElement ours) {
    return of(topic, source, nccl, ours, List.of());
  }

  /**
   * Compares two files without some attributes.
   *
   * @param source where NCCL's is
   * @param leftOut the attributes, each as {@code net.speed}
   */
  public static List<Fact> of(
      Topic topic, String source, XmlElement nccl, XmlElement ours, List<String> leftOut) {
    FileComparison comparison = new FileComparison(topic, source, leftOut);
    comparison.compare("", Optional.of(nccl), Optional.of(ours));
    return comparison.facts.list();
  }

  private void compare(String parent, Optional<XmlElement> nccl, Optional<XmlElement> ours) {
    XmlElement named = nccl.orElseGet(ours::orElseThrow);
    String where = parent + (parent.isEmpty() ? "" : " > ") + label(named);
    facts.add(topic, where, text(nccl), text(ours));
    List<XmlElement> theirs = nccl.map(XmlElement::elements).orElse(List.of());
    List<XmlElement> elements = ours.map(XmlElement::elements).orElse(List.of());
    for (int i = 0; i < Math.max(theirs.size(), elements.size()); i++) {
      compare(where, at(theirs, i), at(elements, i));
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
