package dev.topo.simulator.verdict;

import dev.topo.model.Labels;
import java.util.Optional;

/** The kind of link that limits large calls. */
public enum LinkKind {
  /** NVLinks to NVSwitches. */
  NVSWITCH("NVLink with NVSwitch"),
  /** NVLinks from GPU to GPU. */
  NVLINK("NVLink without NVSwitch"),
  /** PCI Express: some GPUs have no NVLink path between them. */
  PCI("PCI"),
  /** InfiniBand, RoCE and the like between nodes. */
  RDMA("the network between nodes (RDMA)"),
  /** TCP between nodes. */
  TCP("TCP between nodes");

  private final String text;

  LinkKind(String text) {
    this.text = text;
  }

  /** The name in the table of shares. */
  String label() {
    return Labels.of(this);
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
