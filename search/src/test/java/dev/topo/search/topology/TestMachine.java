package dev.topo.search.topology;

import dev.topo.model.LinkType;
import dev.topo.model.Topology;
import dev.topo.model.node.BusId;
import dev.topo.model.node.CpuArch;
import dev.topo.model.node.CpuModel;
import dev.topo.model.node.CpuNode;
import dev.topo.model.node.CpuVendor;
import dev.topo.model.node.GpuNode;
import dev.topo.model.node.NetNode;
import dev.topo.model.node.NicNode;
import dev.topo.model.node.NodeId;
import dev.topo.model.node.NodeType;
import dev.topo.model.node.NvsNode;
import dev.topo.model.node.PciNode;
import dev.topo.search.topology.TopologyBuilder.Vertex;

/**
 * A small machine made by hand for tests. Devices get ids, device numbers and ranks in the order in
 * which they are added; NVLinks are to be added after them, as NCCL does.
 */
public final class TestMachine {
  /** PCI Gen4, 16 lanes. */
  public static final float GEN4 = 24;

  private final TopologyBuilder builder = new TopologyBuilder();
  private long lastBus;

  /** The builder behind this machine. */
  public TopologyBuilder builder() {
    return builder;
  }

  /** A NUMA domain. */
  public Vertex cpu(CpuArch arch, CpuVendor vendor, CpuModel model) {
    int numaId = builder.vertices(NodeType.CPU).size();
    return builder.add(new CpuNode(new NodeId(0, numaId), numaId, arch, vendor, model));
  }

  /** An Intel Skylake: 10 GB/s to other CPUs. */
  public Vertex intel() {
    return cpu(CpuArch.X86, CpuVendor.INTEL, CpuModel.INTEL_SKYLAKE);
  }

  /** A CPU by AMD: 16 GB/s to other CPUs. */
  public Vertex amd() {
    return cpu(CpuArch.X86, CpuVendor.AMD, CpuModel.OTHER);
  }

  /** A 64-bit Arm: 6 GB/s to other CPUs. */
  public Vertex arm() {
    return cpu(CpuArch.ARM, CpuVendor.NONE, CpuModel.OTHER);
  }

  /** A PCI switch below a CPU or another switch. */
  public Vertex pciSwitch(Vertex parent) {
    return pciSwitch(parent, GEN4, 0);
  }

  /** A PCI switch with another link upwards and with vendor and device ids. */
  public Vertex pciSwitch(Vertex parent, float bwGBps, long device) {
    BusId busId = nextBusId();
    Vertex pci = builder.add(new PciNode(new NodeId(0, busId.number()), busId, device));
    builder.connectBoth(pci, parent, LinkType.PCI, bwGBps);
    return pci;
  }

  /** A GPU that supports GPUDirect RDMA. */
  public Vertex gpu(Vertex parent, int sm) {
    return gpu(parent, sm, true, GEN4);
  }

  /** A GPU. */
  public Vertex gpu(Vertex parent, int sm, boolean gdr, float bwGBps) {
    BusId busId = nextBusId();
    int dev = builder.vertices(NodeType.GPU).size();
    Vertex gpu = builder.add(new GpuNode(new NodeId(0, busId.number()), busId, dev, dev, sm, gdr));
    builder.connectBoth(gpu, parent, LinkType.PCI, bwGBps);
    return gpu;
  }

  /** A network card with one port that supports GPUDirect RDMA. */
  public Vertex net(Vertex parent, float bwGBps) {
    return net(parent, bwGBps, true);
  }

  /** A network card with one port. */
  public Vertex net(Vertex parent, float bwGBps, boolean gdr) {
    Vertex nic = builder.add(new NicNode(new NodeId(0, nextBusId().number())));
    builder.connectBoth(nic, parent, LinkType.PCI, GEN4);
    int dev = builder.vertices(NodeType.NET).size();
    Vertex net =
        builder.add(
            new NetNode(new NodeId(0, dev), "mlx5_" + dev, dev, dev, 0, bwGBps, 0, gdr, false, 64));
    builder.connectBoth(nic, net, LinkType.NET, bwGBps);
    return net;
  }

  /** An NVLink between two GPUs. */
  public void nvlink(Vertex a, Vertex b, float bwGBps) {
    builder.connectBoth(a, b, LinkType.NVL, bwGBps);
  }

  /** An NVSwitch that joins GPUs. */
  public Vertex nvSwitch(float bwGBps, Vertex... gpus) {
    Vertex nvs = builder.add(new NvsNode(new NodeId(0, 0)));
    for (Vertex gpu : gpus) {
      builder.connectBoth(gpu, nvs, LinkType.NVL, bwGBps);
    }
    return nvs;
  }

  /** NVLink-C2C between a GPU and a CPU. */
  public void c2c(Vertex gpu, Vertex cpu, float bwGBps) {
    builder.connectBoth(gpu, cpu, LinkType.C2C, bwGBps);
  }

  /** The machine, after the steps that NCCL ends with. */
  public Topology build() {
    builder.flattenBroadcomSwitches();
    builder.connectCpus();
    builder.orderForTraversal();
    return builder.build();
  }

  private BusId nextBusId() {
    lastBus++;
    return new BusId(String.format("0000:%02x:00.0", lastBus));
  }

  /** Index of a node in a topology that was built from here. */
  public static int index(Topology topology, Vertex vertex) {
    return topology.nodes().indexOf(vertex.node());
  }
}
