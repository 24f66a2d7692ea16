package dev.topo.model;

/**
 * The medium of a direct link between two nodes ({@code LINK_*} in {@code nccl:src/graph/topo.h}).
 */
public enum LinkType {
  /** Inside one device: between PCI switches that are one chip. */
  LOC(PathType.LOC),
  NVL(PathType.NVL),
  /** NVLink-C2C between a GPU and its CPU. */
  C2C(PathType.C2C),
  PCI(PathType.PIX),
  /** The interconnect between NUMA domains. */
  SYS(PathType.SYS),
  /** From a network card to its port. */
  NET(PathType.NET);

  private final PathType pathType;

  LinkType(PathType pathType) {
    this.pathType = pathType;
  }

  /** The type of a path that consists of this link alone. */
  public PathType pathType() {
    return pathType;
  }
}
