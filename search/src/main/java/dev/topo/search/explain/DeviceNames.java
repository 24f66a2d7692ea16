package dev.topo.search.explain;

import dev.topo.model.DeviceName;
import dev.topo.model.Link;
import dev.topo.model.Link.PathType;
import dev.topo.model.Node;
import dev.topo.model.QuantityFormat.PrintfNumber;
import dev.topo.model.Topology;
import dev.topo.search.path.Domain;

/** Display names of the devices of a machine. */
final class DeviceNames {
  private DeviceNames() {}

  static String of(Topology topology, Node node) {
    return new DeviceName(topology).of(node);
  }

  /** The type and ends of a link: {@code PCI GPU 0 to PCI 0-1000}. */
  static String of(Topology topology, Link link) {
    return new DeviceName(topology).of(link);
  }

  static String gpu(Topology topology, int gpu) {
    return of(topology, topology.gpus().get(gpu));
  }

  static String net(Topology topology, int net) {
    return of(topology, topology.nets().get(net));
  }

  /** A path type with the number that the NCCL release of the domain prints in its log. */
  static String type(Domain domain, PathType type) {
    return type + " (" + domain.profile().paths().number(type) + ")";
  }

  static String gbps(double value) {
    return number(value) + " GB/s";
  }

  static String number(double value) {
    return PrintfNumber.general((float) value);
  }
}
