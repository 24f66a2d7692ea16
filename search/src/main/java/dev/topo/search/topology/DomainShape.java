package dev.topo.search.topology;

import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * A machine or NVLink domain without the identities of its hosts and chips: equal for parts of a
 * domain for which NCCL finds the same graphs, such as two of its trays.
 */
public final class DomainShape {
  private final Map<String, Integer> hosts = new HashMap<>();
  private final Map<String, Integer> chips = new HashMap<>();
  private final Map<XmlElement, Integer> ranks = new IdentityHashMap<>();
  private final StringBuilder text = new StringBuilder();

  private DomainShape() {}

  /** The shape of a {@code <system>} as text to compare. */
  static String of(XmlElement system) {
    DomainShape shape = new DomainShape();
    List<XmlElement> gpus = JobDevices.find(system, GpuSelection.ALL).gpusByRank();
    for (int rank = 0; rank < gpus.size(); rank++) {
      shape.ranks.put(gpus.get(rank), rank);
    }
    shape.add(system);
    return shape.text.toString();
  }

  private void add(XmlElement element) {
    text.append('<').append(element.name());
    element.attributes().forEach((name, value) -> addAttribute(element, name, value));
    text.append('>');
    element.elements().forEach(this::add);
    text.append("</>");
  }

  private void addAttribute(XmlElement element, String name, String value) {
    text.append(' ')
        .append(name)
        .append('=')
        .append(
            switch (name) {
              case "host_hash" -> String.valueOf(index(hosts, value));
              case "guid" -> String.valueOf(index(chips, value));
              case "rank" -> String.valueOf(ranks.getOrDefault(element, -1));
              default -> '"' + value + '"';
            });
  }

  private static int index(Map<String, Integer> indexes, String value) {
    return indexes.computeIfAbsent(value, unseen -> indexes.size());
  }
}
