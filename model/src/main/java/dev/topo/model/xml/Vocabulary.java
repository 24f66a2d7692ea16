package dev.topo.model.xml;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The elements and attributes that NCCL reads in a kind of file, and where ({@code xmlHandler}
 * tables, {@code nccl:src/graph/xml.cc}).
 */
public final class Vocabulary {
  /** Of topology files. */
  public static final Vocabulary TOPOLOGY =
      new Vocabulary(
          Map.of(
              "", "system",
              "system", "cpu",
              "cpu", "pci nic",
              "pci", "pci gpu nic pcilink",
              "gpu", "nvlink c2c",
              "nic", "net"),
          Map.of(
              "system", "version name",
              "cpu", "host_hash numaid affinity arch vendor familyid modelid keep",
              "pci",
                  "busid class vendor device subsystem_vendor subsystem_device link_speed link_width keep",
              "gpu", "dev sm rank gdr keep",
              "nic", "keep",
              "net", "name dev latency speed port guid maxconn gdr coll keep",
              "nvlink", "target count tclass",
              "c2c", "bw count",
              "pcilink", "target"));

  /** Of graph files. */
  public static final Vocabulary GRAPH =
      new Vocabulary(
          Map.of("", "graphs", "graphs", "graph", "graph", "channel", "channel", "net gpu"),
          Map.of(
              "graphs", "version name",
              "graph",
                  "id pattern crossnic nchannels speedintra speedinter latencyinter typeintra typeinter samechannels",
              "channel", "",
              "net", "dev",
              "gpu", "dev"));

  private final Map<String, Set<String>> children = new TreeMap<>();
  private final Map<String, Set<String>> attributes = new TreeMap<>();

  private Vocabulary(Map<String, String> children, Map<String, String> attributes) {
    children.forEach((name, words) -> this.children.put(name, words(words)));
    attributes.forEach((name, words) -> this.attributes.put(name, words(words)));
  }

  private static Set<String> words(String words) {
    return words.isEmpty() ? Set.of() : new TreeSet<>(Set.of(words.split(" ", -1)));
  }

  /** Whether NCCL reads a {@code child} directly inside a {@code parent}; empty for the file. */
  public boolean isReadInside(String parent, String child) {
    return childrenOf(parent).contains(child);
  }

  /** The elements that NCCL reads inside a {@code parent}, by name. */
  public Set<String> childrenOf(String parent) {
    return children.getOrDefault(parent, Set.of());
  }

  /** Whether NCCL has a use for elements of this name anywhere. */
  public boolean isElement(String name) {
    return attributes.containsKey(name);
  }

  /** Whether NCCL has a use for an attribute of an element. */
  public boolean isAttribute(String element, String attribute) {
    return attributes.getOrDefault(element, Set.of()).contains(attribute);
  }

  /** The attributes of an element that NCCL has a use for, by name. */
  public Set<String> attributesOf(String element) {
    return attributes.getOrDefault(element, Set.of());
  }
}
