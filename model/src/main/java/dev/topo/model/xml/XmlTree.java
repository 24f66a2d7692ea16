package dev.topo.model.xml;

import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A topology under construction, with NCCL's lookup order: order of creation, not position in the
 * tree, so that "the first CPU" is the one created first ({@code xmlFindTag}, {@code
 * nccl:src/graph/xml.h}).
 */
public final class XmlTree {
  /** The version of the format ({@code NCCL_TOPO_XML_VERSION}). */
  private static final String VERSION = "1";

  private static final SourceLocation PROBE = SourceLocation.of("probe");

  private final List<XmlTreeNode> created = new ArrayList<>();
  private final XmlTreeNode system;

  private XmlTree(XmlTreeNode system) {
    this.system = system;
    created.add(system);
  }

  /** A tree without devices. */
  public static XmlTree empty() {
    return new XmlTree(new XmlTreeNode("system", Map.of("version", VERSION), PROBE));
  }

  /** A tree that begins as a copy of a file. */
  public static XmlTree of(XmlElement root) {
    XmlTreeNode system = new XmlTreeNode(root.name(), root.attributes(), root.location());
    XmlTree tree = new XmlTree(system);
    root.elements().forEach(child -> tree.copy(system, child));
    return tree;
  }

  /** Adds a copy of an element, with all below it, at the end of a parent. */
  public void copy(XmlTreeNode parent, XmlElement element) {
    XmlTreeNode copy = new XmlTreeNode(element.name(), element.attributes(), element.location());
    created.add(copy);
    parent.append(copy);
    element.elements().forEach(child -> copy(copy, child));
  }

  /** The outermost element. */
  public XmlTreeNode system() {
    return system;
  }

  /** A new element that has no parent yet. */
  XmlTreeNode add(String tag) {
    XmlTreeNode node = new XmlTreeNode(tag, Map.of(), system.location());
    created.add(node);
    return node;
  }

  /** A new element at the end of its parent. */
  public XmlTreeNode add(XmlTreeNode parent, String tag) {
    XmlTreeNode node = add(tag);
    parent.append(node);
    return node;
  }

  /** The first child with a tag; a new one if there is none. */
  public XmlTreeNode childOrNew(XmlTreeNode parent, String tag) {
    return parent.child(tag).orElseGet(() -> add(parent, tag));
  }

  /** A new port of the network card at this place. */
  public XmlTreeNode addPort(XmlTreeNode place, String name) {
    XmlTreeNode net = add(childOrNew(place, "nic"), "net");
    net.set("name", name);
    return net;
  }

  /** The elements with a tag in the order of their creation, including dropped ones. */
  public List<XmlTreeNode> all(String tag) {
    return created.stream().filter(node -> node.is(tag)).toList();
  }

  /** The element of a PCI device, created without a parent if missing. */
  public XmlTreeNode pci(String busId) {
    return find("pci", "busid", busId)
        .orElseGet(
            () -> {
              XmlTreeNode pci = add("pci");
              pci.set("busid", busId);
              return pci;
            });
  }

  /** Inserts a PCI device by the order of bus ids; siblings without one keep their place. */
  public void attach(XmlTreeNode parent, XmlTreeNode pci) {
    String busId = pci.value("busid");
    List<XmlTreeNode> others = parent.children();
    int index = 0;
    while (index < others.size() && !isAfter(others.get(index), busId)) {
      index++;
    }
    parent.insert(index, pci);
  }

  private static boolean isAfter(XmlTreeNode node, String busId) {
    return node.attribute("busid").filter(other -> busId.compareTo(other) < 0).isPresent();
  }

  /** The first created element with a tag and this value of an attribute. */
  public Optional<XmlTreeNode> find(String tag, String attribute, String value) {
    return created.stream()
        .filter(node -> node.is(tag) && node.attribute(attribute).filter(value::equals).isPresent())
        .findFirst();
  }

  /**
   * Drops branches in which nothing is kept ({@code ncclTopoTrimXml}). An element is kept
   * completely if its attribute {@code keep} is 1; the attribute is removed.
   *
   * @param keepCpus whether CPUs are always kept, unlike in NCCL
   */
  public void trim(boolean keepCpus) {
    trim(system, keepCpus);
  }

  private static boolean trim(XmlTreeNode node, boolean keepCpus) {
    if (node.attribute("keep").filter("1"::equals).isPresent()) {
      node.remove("keep");
      return true;
    }
    boolean kept = false;
    for (XmlTreeNode child : node.children()) {
      boolean childKept = trim(child, keepCpus) || (keepCpus && child.is("cpu"));
      kept |= childKept;
      if (!childKept && isDroppable(child)) {
        child.detach();
      }
    }
    return kept;
  }

  private static boolean isDroppable(XmlTreeNode node) {
    return node.is("pci") || node.is("cpu") || node.is("nic") || node.is("net");
  }

  /**
   * Merges another tree into this one: elements with the same attributes are merged, all others are
   * appended to their parent ({@code ncclTopoFuseXml}).
   */
  public void fuse(XmlTree other) {
    fuse(system, other.system);
  }

  private void fuse(XmlTreeNode into, XmlTreeNode from) {
    for (XmlTreeNode child : from.children()) {
      Optional<XmlTreeNode> same =
          into.children().stream().filter(other -> isSameElement(child, other)).findFirst();
      if (same.isPresent()) {
        fuse(same.get(), child);
      } else {
        copy(into, child.toElement());
      }
    }
  }

  /** True if two elements have the same name and the same attributes, in any order. */
  private static boolean isSameElement(XmlTreeNode a, XmlTreeNode b) {
    return a.is(b.name()) && a.attributes().equals(b.attributes());
  }
}
