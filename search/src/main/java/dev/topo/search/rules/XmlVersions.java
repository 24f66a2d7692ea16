package dev.topo.search.rules;

import dev.topo.model.io.ResourceTable;
import dev.topo.model.xml.Vocabulary;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which versions read an element or attribute of a topology file, where not all do; from the table
 * {@code xml.txt} where older versions do not, else from the rules.
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
    int place = VERSIONS.indexOf(profile.version());
    Integer first = FIRST.get(element + " " + attribute);
    if (first != null) {
      return first > place ? Optional.of(VERSIONS.get(first)) : Optional.empty();
    }
    return profile.xml().readsFurther(element, attribute)
        ? Optional.empty()
        : VERSIONS.stream()
            .skip(place + 1L)
            .filter(version -> NcclProfile.of(version).xml().readsFurther(element, attribute))
            .findFirst();
  }

  /** The release since which NCCL reads an element. */
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
