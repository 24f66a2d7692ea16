package dev.topo.model.edit;

import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.xml.XmlElement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Values that one part only may have: the {@code numaid} of a CPU on its host, the {@code rank} of
 * a GPU. The reader says of the second in the file that it is one too many, whichever an edit made
 * so; this says it of the edit.
 */
final class OwnValues {
  private final Set<SourceLocation> edits = new HashSet<>();
  private final Map<String, XmlElement> owners = new HashMap<>();

  private OwnValues(List<Edit> edits) {
    edits.forEach(edit -> this.edits.add(edit.location()));
  }

  /**
   * Looks at a machine after all edits: on the way two may have the same, as when they change
   * places.
   *
   * @throws TopologyFormatException if an edit gave a part what another has
   */
  static void check(XmlElement system, List<Edit> edits) {
    new OwnValues(edits).walk(system);
  }

  private void walk(XmlElement element) {
    if (element.name().equals("cpu")) {
      check(element, "numaid", element.attribute("host_hash").orElse(""));
    } else if (element.name().equals("gpu")) {
      check(element, "rank", "");
    }
    element.elements().forEach(this::walk);
  }

  private void check(XmlElement element, String attribute, String host) {
    String value = element.attribute(attribute).orElse("");
    if (value.isEmpty()) {
      return;
    }
    XmlElement other = owners.put(element.name() + " " + host + " " + value, element);
    if (other == null) {
      return;
    }
    for (XmlElement one : List.of(element, other)) {
      if (edits.contains(one.location())) {
        throw new TopologyFormatException(
            one.location(),
            "<"
                + one.name()
                + ">: attribute "
                + attribute
                + "=\""
                + value
                + "\" is that of another one too, expected a value of its own");
      }
    }
  }
}
