package dev.topo.hw.sysfs;

import java.util.List;

/**
 * The network that NCCL uses.
 *
 * @param name {@code IB} or {@code Socket}; empty if there is none
 * @param merges whether it can make virtual devices of several
 */
public record Network(String name, List<NetPort> ports, boolean merges) {
  /** No network at all. */
  static final Network NONE = new Network("", List.of(), false);

  public Network {
    ports = List.copyOf(ports);
  }
}
