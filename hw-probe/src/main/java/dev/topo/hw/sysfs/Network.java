package dev.topo.hw.sysfs;

import java.util.List;

/**
 * Network that NCCL uses.
 *
 * @param merges whether it can merge several devices into virtual ones
 */
public record Network(List<NetPort> ports, boolean merges) {
  /** No network. */
  static final Network NONE = new Network(List.of(), false);

  public Network {
    ports = List.copyOf(ports);
  }
}
