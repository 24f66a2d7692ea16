package dev.topo.model;

import dev.topo.model.Link.LinkType;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;

/**
 * Display names of the devices of a machine: {@code GPU 1}, {@code mlx5_0}; in an NVLink domain of
 * several hosts prefixed with the number of the host, {@code GPU 3-1}, {@code 3-mlx5_0}.
 */
public final class DeviceName {
  private final Topology topology;
  private final boolean severalHosts;

  public DeviceName(Topology topology) {
    this.topology = topology;
    severalHosts = topology.hasCpusOfSeveralHosts();
  }

  /** A GPU by its device number, a port by its name, others as in NCCL's log. */
  public String of(Node node) {
    if (node instanceof GpuNode gpu) {
      return "GPU " + number(gpu);
    }
    if (node instanceof NetNode net) {
      return net.name().isEmpty() ? "NET " + onHost(net, net.dev()) : onHost(net, net.name());
    }
    return node.label();
  }

  /** The node with an index. */
  public String of(int node) {
    return of(topology.node(node));
  }

  /** A link by type and the indexes of its ends: {@code PCI GPU 0 to PCI 0-1000}. */
  public String of(LinkType type, int from, int to) {
    return type + " " + of(from) + " to " + of(to);
  }

  /** A link by type and ends. */
  public String of(Link link) {
    return of(link.type(), link.from(), link.to());
  }

  /** The number of a GPU without the noun: {@code 1} or {@code 3-1}. */
  public String number(GpuNode gpu) {
    return onHost(gpu, gpu.dev());
  }

  private String onHost(Node node, Object name) {
    return severalHosts ? node.systemId() + "-" + name : String.valueOf(name);
  }
}
