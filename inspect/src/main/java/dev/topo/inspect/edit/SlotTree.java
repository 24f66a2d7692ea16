package dev.topo.inspect.edit;

import dev.topo.model.xml.XmlTreeNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A switch or CPU as placements see it: whether cards may go there, and what is below, equal things
 * together. Two are equal if what they hold differs only in names: bus ids, numbers of devices and
 * CPUs. GPUs with NVLinks to other GPUs are equal to none, so that no symmetry is claimed that
 * their links might not have.
 *
 * @param part the switch or CPU; the whole machine for the outermost
 * @param isPlace whether cards may go there
 * @param groups what is below and leads to places, equal ones in one group; equal sites have theirs
 *     in the same order
 */
record SlotTree(XmlTreeNode part, boolean isPlace, List<List<SlotTree>> groups) {
  /** What names a thing without saying what it is like. */
  private static final Set<String> NAMES =
      Set.of("busid", "numaid", "affinity", "dev", "rank", "name", "guid");

  /** The outermost site of a machine without its cards. */
  static SlotTree of(XmlTreeNode part, Set<XmlTreeNode> places) {
    Map<String, List<SlotTree>> groups = new LinkedHashMap<>();
    for (XmlTreeNode child : part.children()) {
      SlotTree site = of(child, places);
      if (site.isPlace || !site.groups.isEmpty()) {
        List<SlotTree> group = groups.computeIfAbsent(key(child, places), key -> new ArrayList<>());
        group.add(group.isEmpty() ? site : site.inOrderOf(group.get(0), places));
      }
    }
    return new SlotTree(part, places.contains(part), List.copyOf(groups.values()));
  }

  /** Itself with its groups, and those below, in the order in which an equal site has them. */
  private SlotTree inOrderOf(SlotTree equal, Set<XmlTreeNode> places) {
    List<List<SlotTree>> ordered = new ArrayList<>();
    for (List<SlotTree> wanted : equal.groups) {
      String key = key(wanted.get(0).part, places);
      List<SlotTree> group =
          groups.stream()
              .filter(own -> key(own.get(0).part, places).equals(key))
              .findFirst()
              .orElseThrow();
      ordered.add(group.stream().map(site -> site.inOrderOf(wanted.get(0), places)).toList());
    }
    return new SlotTree(part, isPlace, ordered);
  }

  /** The places at and below it: its own, then group by group. */
  List<XmlTreeNode> places() {
    List<XmlTreeNode> places = new ArrayList<>();
    if (isPlace) {
      places.add(part);
    }
    groups.forEach(group -> group.forEach(site -> places.addAll(site.places())));
    return places;
  }

  /** What a part is like; equal for parts that only names tell apart. */
  static String key(XmlTreeNode part, Set<XmlTreeNode> places) {
    Map<String, String> attributes = new TreeMap<>(part.attributes());
    attributes.keySet().removeAll(NAMES);
    if (part.is("nvlink") && isToGpu(attributes) || part.is("pcilink")) {
      // Where it leads tells the device from all others.
      attributes.put("from", part.parent().map(TopologyElements::busId).orElse(""));
    } else if (part.is("nvlink")) {
      attributes.remove("target");
    }
    String below =
        part.children().stream()
            .map(child -> key(child, places))
            .sorted()
            .collect(Collectors.joining(","));
    return part.name() + (places.contains(part) ? "!" : "") + attributes + "[" + below + "]";
  }

  private static boolean isToGpu(Map<String, String> nvlink) {
    String targetClass = nvlink.getOrDefault("tclass", "0x03");
    return targetClass.startsWith("0x03");
  }
}
