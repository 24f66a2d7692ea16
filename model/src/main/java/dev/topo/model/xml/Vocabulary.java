package dev.topo.model.xml;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The elements and attributes that NCCL 2.28.9 reads in a topology file, and where ({@code
 * nccl:src/graph/xml.cc}).
 */
public final class Vocabulary {
  private static final Map<String, Set<String>> CHILDREN =
      Map.of(
          "system", Set.of("cpu"),
          "cpu", Set.of("pci", "nic"),
          "pci", Set.of("pci", "gpu", "nic", "pcilink"),
          "gpu", Set.of("nvlink", "c2c"),
          "nic", Set.of("net"),
          "net", Set.of(),
          "nvlink", Set.of(),
          "c2c", Set.of(),
          "pcilink", Set.of());

  private static final Map<String, Set<String>> ATTRIBUTES =
      Map.of(
          "system", Set.of("version", "name"),
          "cpu", Set.of("host_hash", "numaid", "affinity", "arch", "vendor", "familyid", "modelid"),
          "pci",
              Set.of(
                  "busid",
                  "class",
                  "vendor",
                  "device",
                  "subsystem_vendor",
                  "subsystem_device",
                  "link_speed",
                  "link_width"),
          "gpu", Set.of("dev", "sm", "rank", "gdr", "keep"),
          "nic", Set.of(),
          "net",
              Set.of(
                  "name", "dev", "latency", "speed", "port", "guid", "maxconn", "gdr", "coll",
                  "keep"),
          "nvlink", Set.of("target", "count", "tclass"),
          "c2c", Set.of("bw", "count"),
          "pcilink", Set.of("target"));

  private Vocabulary() {}

  /** Whether NCCL has a use for elements of this name anywhere. */
  public static boolean isElement(String name) {
    return CHILDREN.containsKey(name);
  }

  /** Whether NCCL reads a {@code child} directly inside a {@code parent}. */
  public static boolean isReadInside(String parent, String child) {
    return CHILDREN.getOrDefault(parent, Set.of()).contains(child);
  }

  /** The elements that NCCL reads inside a {@code parent}, by name. */
  public static Set<String> childrenOf(String parent) {
    return new TreeSet<>(CHILDREN.getOrDefault(parent, Set.of()));
  }

  /** Whether NCCL has a use for an attribute of an element. */
  public static boolean isAttribute(String element, String attribute) {
    return ATTRIBUTES.getOrDefault(element, Set.of()).contains(attribute);
  }

  /** The attributes of an element that NCCL has a use for, by name. */
  public static Set<String> attributesOf(String element) {
    return new TreeSet<>(ATTRIBUTES.getOrDefault(element, Set.of()));
  }
}
