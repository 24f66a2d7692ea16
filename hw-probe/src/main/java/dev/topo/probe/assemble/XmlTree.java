package dev.topo.probe.assemble;

import dev.topo.model.xml.XmlElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A topology under construction, with NCCL's lookup order: order of creation, not position in the
 * tree, so that "the first CPU" is the one created first ({@code xmlFindTag}, {@code
 * nccl:src/graph/xml.h}).
 */
final class XmlTree {
  /** The version of the format ({@code NCCL_TOPO_XML_VERSION}). */
  private static final String VERSION = "1";

  private final List<TreeNode> created = new ArrayList<>();
  private final TreeNode system;

  private XmlTree(TreeNode system) {
    this.system = system;
    created.add(system);
  }

  static XmlTree empty() {
    TreeNode system = new TreeNode("system");
    system.set("version", VERSION);
    return new XmlTree(system);
  }

  /** A tree that begins as a copy of a file. */
  static XmlTree of(XmlElement root) {
    TreeNode system = new TreeNode(root.name());
    root.attributes().forEach(system::set);
    XmlTree tree = new XmlTree(system);
    tree.copyChildren(system, root);
    return tree;
  }

  private void copyChildren(TreeNode node, XmlElement element) {
    for (XmlElement child : element.elements()) {
      TreeNode copy = add(node, child.name());
      child.attributes().forEach(copy::set);
      copyChildren(copy, child);
    }
  }

  TreeNode system() {
    return system;
  }

  TreeNode add(String tag) {
    TreeNode node = new TreeNode(tag);
    created.add(node);
    return node;
  }

  TreeNode add(TreeNode parent, String tag) {
    TreeNode node = add(tag);
    parent.append(node);
    return node;
  }

  List<TreeNode> all(String tag) {
    return created.stream().filter(node -> node.is(tag)).toList();
  }

  Optional<TreeNode> find(String tag) {
    return created.stream().filter(node -> node.is(tag)).findFirst();
  }

  Optional<TreeNode> find(String tag, String attribute, String value) {
    return created.stream()
        .filter(node -> node.is(tag) && node.get(attribute).filter(value::equals).isPresent())
        .findFirst();
  }

  /**
   * Drops branches in which nothing is kept ({@code ncclTopoTrimXml}). An element stays whole if
   * its attribute {@code keep} is 1; the attribute goes.
   *
   * @param keepCpus whether CPUs stay in any case, which they do not in NCCL
   */
  void trim(boolean keepCpus) {
    trim(system, keepCpus);
  }

  private static boolean trim(TreeNode node, boolean keepCpus) {
    if (node.get("keep").filter("1"::equals).isPresent()) {
      node.remove("keep");
      return true;
    }
    boolean kept = false;
    for (TreeNode child : List.copyOf(node.children())) {
      boolean childKept = trim(child, keepCpus) || (keepCpus && child.is("cpu"));
      kept |= childKept;
      if (!childKept && isDroppable(child)) {
        node.children().remove(child);
      }
    }
    return kept;
  }

  private static boolean isDroppable(TreeNode node) {
    return node.is("pci") || node.is("cpu") || node.is("nic") || node.is("net");
  }

  /**
   * Adds what another tree has more: elements that are the same in every attribute are one, all
   * others come to the end of their parent ({@code ncclTopoFuseXml}).
   */
  void fuse(XmlTree other) {
    fuse(system, other.system);
  }

  private void fuse(TreeNode into, TreeNode from) {
    for (TreeNode child : from.children()) {
      Optional<TreeNode> same = into.children().stream().filter(child::isSameElement).findFirst();
      if (same.isPresent()) {
        fuse(same.get(), child);
      } else {
        copy(into, child);
      }
    }
  }

  private void copy(TreeNode into, TreeNode node) {
    TreeNode copy = node.copyWithoutChildren();
    created.add(copy);
    into.append(copy);
    node.children().forEach(child -> copy(copy, child));
  }
}
