package dev.topo.inspect.difference;

import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * The same machine as another file has it: siblings in another order, other bus ids, another host,
 * other card ids, device numbers and ranks with gaps.
 */
final class ShuffledMachine {
  private final Random random;
  private final Map<String, String> busIds = new HashMap<>();
  private final int step;
  private final int firstRank;

  private ShuffledMachine(XmlElement system, long seed) {
    this.random = new Random(seed);
    this.step = 1 + random.nextInt(3);
    this.firstRank = random.nextInt(100);
    List<String> ids = new ArrayList<>();
    collect(system, ids);
    List<String> renamed = new ArrayList<>(ids);
    if (random.nextBoolean()) {
      Collections.shuffle(renamed, random);
    } else {
      renamed.replaceAll(
          id ->
              String.format(
                  Locale.ROOT, "%04x:%02x:00.0", random.nextInt(1 << 14), random.nextInt(256)));
    }
    for (int i = 0; i < ids.size(); i++) {
      busIds.put(ids.get(i), renamed.get(i));
    }
  }

  static XmlElement of(XmlElement system, long seed) {
    return new ShuffledMachine(system, seed).shuffle(system);
  }

  private static void collect(XmlElement element, List<String> ids) {
    element.attribute("busid").ifPresent(ids::add);
    element.elements().forEach(child -> collect(child, ids));
  }

  private XmlElement shuffle(XmlElement element) {
    List<XmlNode> children = new ArrayList<>();
    element.elements().forEach(child -> children.add(shuffle(child)));
    Collections.shuffle(children, random);
    Map<String, String> attributes = new LinkedHashMap<>(element.attributes());
    attributes.computeIfPresent("busid", (name, id) -> busIds.getOrDefault(id, id));
    attributes.computeIfPresent("target", (name, id) -> busIds.getOrDefault(id, id));
    attributes.computeIfPresent("host_hash", (name, hash) -> hash + "77");
    attributes.computeIfPresent("guid", (name, guid) -> guid + "5");
    attributes.computeIfPresent("dev", (name, dev) -> String.valueOf(Integer.parseInt(dev) * step));
    attributes.computeIfPresent(
        "rank", (name, rank) -> String.valueOf(Integer.parseInt(rank) + firstRank));
    return new XmlElement(element.name(), attributes, children, element.location());
  }
}
