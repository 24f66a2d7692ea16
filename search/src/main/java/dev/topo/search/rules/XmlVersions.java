package dev.topo.search.rules;

import dev.topo.model.io.ResourceTable;
import dev.topo.model.xml.Vocabulary;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The versions that read an element or attribute of a topology file, if not all do: from the table
 * {@code xml.txt} if older versions do not, else from the rules.
 */
public final class XmlVersions {
  private static final String ELEMENT = "-";
  private static final List<String> VERSIONS = NcclProfile.versions();
  private static final Map<String, Integer> FIRST = read();

  private XmlVersions() {}

  private static Map<String, Integer> read() {
    Map<String, Integer> first = new TreeMap<>();
    for (String line : ResourceTable.lines(XmlVersions.class, "xml.txt")) {
      String[] words = line.split(" +");
      first.put(words[0] + " " + words[1], VERSIONS.indexOf(words[2]));
    }
    return first;
  }

  /** The first version that reads an attribute, if this version does not but a newer one does. */
  public static Optional<String> since(String element, String attribute, NcclProfile profile) {
    int index = VERSIONS.indexOf(profile.version());
    Integer first = FIRST.get(element + " " + attribute);
    if (first != null) {
      return first > index ? Optional.of(VERSIONS.get(first)) : Optional.empty();
    }
    return profile.xml().readsFurther(element, attribute)
        ? Optional.empty()
        : VERSIONS.stream()
            .skip(index + 1L)
            .filter(version -> NcclProfile.of(version).xml().readsFurther(element, attribute))
            .findFirst();
  }

  /** The first version that reads an element, if this version does not but a newer one does. */
  public static Optional<String> since(String element, NcclProfile profile) {
    return since(element, ELEMENT, profile);
  }

  public static boolean isRead(String element, String attribute, NcclProfile profile) {
    boolean isKnown =
        Vocabulary.TOPOLOGY.isAttribute(element, attribute)
            || profile.xml().readsFurther(element, attribute);
    return isKnown && since(element, attribute, profile).isEmpty();
  }
}
