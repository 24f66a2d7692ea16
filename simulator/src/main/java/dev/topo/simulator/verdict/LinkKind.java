package dev.topo.simulator.verdict;

import java.util.Optional;

/** The kind of link that limits large calls. */
public enum LinkKind {
  /** NVLinks to NVSwitches. */
  NVSWITCH("nvswitch", "NVLink with NVSwitch"),
  /** NVLinks from GPU to GPU. */
  NVLINK("nvlink", "NVLink without NVSwitch"),
  /** PCI Express: some GPUs have no NVLink path between them. */
  PCI("pci", "PCI"),
  /** InfiniBand, RoCE and the like between nodes. */
  RDMA("rdma", "the network between nodes (RDMA)"),
  /** TCP between nodes. */
  TCP("tcp", "TCP between nodes");

  private final String label;
  private final String text;

  LinkKind(String label, String text) {
    this.label = label;
    this.text = text;
  }

  /** The name in the table of shares. */
  String label() {
    return label;
  }

  /** The name in text. */
  String text() {
    return text;
  }

  /**
   * Looks up the fraction of the links' bandwidth that every healthy run exceeds for calls of a
   * size; empty if the size is below those of the table.
   */
  public Optional<HealthyShare> share(long sizeBytes) {
    return HealthyShare.of(this, sizeBytes);
  }
}
