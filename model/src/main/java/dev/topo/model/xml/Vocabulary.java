package dev.topo.model.xml;

import dev.topo.model.io.ResourceTable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The elements and attributes that NCCL reads in a kind of file, and how elements nest ({@code
 * xmlHandler} tables, {@code nccl:src/graph/xml.cc}); from the table {@code vocabulary.txt}.
 */
public final class Vocabulary {
  /** Vocabulary of topology files. */
  public static final Vocabulary TOPOLOGY = new Vocabulary("topology");

  /** Vocabulary of graph files. */
  public static final Vocabulary GRAPH = new Vocabulary("graph");

  private final Map<String, Set<String>> children = new TreeMap<>();
  private final Map<String, Set<String>> attributes = new TreeMap<>();

  private Vocabulary(String file) {
    for (List<String> row : ResourceTable.rows(Vocabulary.class, "vocabulary.txt", file)) {
      int end = row.contains(">") ? row.indexOf(">") : row.size();
      List<String> inside = row.subList(Math.min(end + 1, row.size()), row.size());
      boolean isFile = row.get(0).equals(".");
      children.put(isFile ? "" : row.get(0), new TreeSet<>(inside));
      if (!isFile) {
        attributes.put(row.get(0), new TreeSet<>(row.subList(1, end)));
      }
    }
  }

  /**
   * True if NCCL reads a {@code child} directly inside a {@code parent}; the parent of the root is
   * empty.
   */
  public boolean isReadInside(String parent, String child) {
    return childrenOf(parent).contains(child);
  }

  /** The elements that NCCL reads inside a {@code parent}, by name. */
  public Set<String> childrenOf(String parent) {
    return children.getOrDefault(parent, Set.of());
  }

  /** True if NCCL uses elements of this name anywhere. */
  public boolean isElement(String name) {
    return attributes.containsKey(name);
  }

  /** True if NCCL uses an attribute of an element. */
  public boolean isAttribute(String element, String attribute) {
    return attributes.getOrDefault(element, Set.of()).contains(attribute);
  }

  /** The attributes of an element that NCCL uses, by name. */
  public Set<String> attributesOf(String element) {
    return attributes.getOrDefault(element, Set.of());
  }
}
