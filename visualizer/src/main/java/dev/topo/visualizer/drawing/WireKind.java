package dev.topo.visualizer.drawing;

import dev.topo.model.Link.LinkType;

/**
 * The kind of link that a line shows. The colours are from the palette of Okabe and Ito, which
 * people with any kind of colour vision can distinguish; dashes help to distinguish some of them
 * without colour.
 */
public enum WireKind {
  /** NVLink. */
  NVL("NVLink", 0x009E73, ""),
  /** NVLink-C2C. */
  C2C("NVLink-C2C", 0xE69F00, ""),
  /** PCI Express. */
  PCI("PCI Express", 0x0072B2, ""),
  /** Between NUMA domains. */
  SYS("between CPUs", 0xD55E00, "9 3"),
  /** From a card to the network. */
  NET("network port", 0xCC79A7, ""),
  /** Inside one chip. */
  LOC("inside one chip", 0x777777, "2 3"),
  /** From a parent to a child in a tree between nodes. */
  TREE("tree", 0x0072B2, ""),
  /** From a node to the next in a ring. */
  RING("ring", 0x009E73, "");

  private final String meaning;
  private final int color;
  private final String dashes;

  WireKind(String meaning, int color, String dashes) {
    this.meaning = meaning;
    this.color = color;
    this.dashes = dashes;
  }

  /** The kind of line for a link. */
  public static WireKind of(LinkType type) {
    return valueOf(type.name());
  }

  /** Its meaning, for the legend. */
  public String meaning() {
    return meaning;
  }

  /** Its colour, as {@code 0xRRGGBB}. */
  public int color() {
    return color;
  }

  /** Lengths of dashes and gaps in pixels; empty for a line without gaps. */
  public String dashes() {
    return dashes;
  }
}
