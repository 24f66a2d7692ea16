package dev.topo.hw.probe;

import dev.topo.hw.nvml.Capability;
import dev.topo.hw.nvml.NvmlDevice;
import dev.topo.hw.sysfs.MachineFacts;
import dev.topo.hw.sysfs.NetPort;
import dev.topo.hw.sysfs.NetSettings;
import dev.topo.hw.sysfs.Network;
import dev.topo.hw.sysfs.NetworkFinder;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.nic.NicMerger;
import dev.topo.model.nic.PhysicalPort;
import dev.topo.model.nic.PortMerging;
import dev.topo.model.nic.VirtualNicPlacer;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlTree;
import dev.topo.model.xml.XmlTreeNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Builds the topology that NCCL builds for one job on all visible GPUs of a machine ({@code
 * ncclTopoGetSystem}, {@code nccl:src/graph/topo.cc}): one tree per rank, with its GPU and all
 * network devices; the other trees are then fused into the first, one by one. The order of elements
 * and attributes is NCCL's.
 *
 * @param base topology from the user or the operator of a virtual machine to start from
 */
public record SystemAssembler(
    MachineFacts facts, Optional<XmlElement> base, ProbeOptions options, Diagnostics diagnostics) {
  /** First CUDA version with DMA-BUF ({@code dmaBufSupported}, {@code nccl:src/init.cc}). */
  private static final int DMA_BUF_CUDA = 11_070;

  private NetSettings settings() {
    return NetSettings.of(options.settings(), options.meetingInterface());
  }

  /**
   * Topology of some GPUs.
   *
   * @param cudaVersion newest CUDA version that the driver supports, {@code 13000} for 13.0
   */
  XmlElement assemble(List<NvmlDevice> devices, int cudaVersion) {
    return assemble(devices, cudaVersion, new NetworkFinder(facts, settings(), diagnostics).find());
  }

  /** Topology of some GPUs with a known network. */
  public XmlElement assemble(List<NvmlDevice> devices, int cudaVersion, Network network) {
    List<NvmlDevice> visible =
        new VisibleDevices(devices, diagnostics).select(options.visibleDevices());
    // Only the GPUs that the process sees matter.
    if (visible.stream().anyMatch(device -> device.gpuDirectRdma() == Capability.UNKNOWN)) {
      diagnostics.note(
          "guessed-gdr",
          SourceLocation.of("cuda"),
          "could not be asked whether every GPU supports GPUDirect RDMA; gdr is by PCI class");
    }
    XmlTree tree =
        visible.isEmpty()
            ? treeWithoutGpu(network)
            : rankTree(visible.get(0), 0, cudaVersion, network);
    for (int rank = 1; rank < visible.size(); rank++) {
      tree.fuse(rankTree(visible.get(rank), rank, cudaVersion, network));
    }
    return tree.system().toElement();
  }

  private XmlTree rankTree(NvmlDevice device, int rank, int cudaVersion, Network network) {
    XmlTree tree = newTree();
    PciPlacer placer = new PciPlacer(tree, facts);
    new GpuFiller(tree, placer, facts).fill(device, rank);
    boolean dmaBuf =
        settings().dmaBuf() && cudaVersion >= DMA_BUF_CUDA && device.dmaBuf().orElse(true);
    networkDevices(tree, new NetFiller(tree, placer, dmaBuf), network);
    tree.trim(false);
    return tree;
  }

  /** Tree of a machine without usable GPU: all CPUs and the network devices. */
  private XmlTree treeWithoutGpu(Network network) {
    XmlTree tree = newTree();
    PciPlacer placer = new PciPlacer(tree, facts);
    facts.cpus().cpumaps().keySet().forEach(placer::cpu);
    networkDevices(tree, new NetFiller(tree, placer, true), network);
    tree.trim(true);
    return tree;
  }

  private XmlTree newTree() {
    XmlTree tree = base.map(XmlTree::of).orElseGet(XmlTree::empty);
    // NCCL derives the host hash from the host's name and boot id.
    tree.all("cpu").forEach(cpu -> cpu.remove("host_hash"));
    return tree;
  }

  private void networkDevices(XmlTree tree, NetFiller filler, Network network) {
    List<XmlTreeNode> nets = new ArrayList<>();
    for (int dev = 0; dev < network.ports().size(); dev++) {
      nets.add(filler.fill(network.ports().get(dev), dev, Optional.empty()));
    }
    if (options.nics() == NicView.PHYSICAL || !network.merges()) {
      return;
    }
    List<List<Integer>> virtual = merged(network.ports(), nets);
    virtual.forEach(members -> members.forEach(i -> nets.get(i).set("keep", "0")));
    for (int i = 0; i < virtual.size(); i++) {
      List<Integer> members = virtual.get(i);
      NetPort port = NetPort.merged(network.ports(), members);
      Optional<XmlTreeNode> parent =
          tree.find("net", "name", port.name()).isPresent()
              ? Optional.empty()
              : VirtualNicPlacer.parent(
                  members.stream().map(nets::get).toList(), PortMerging.WIDENED);
      filler.fill(port, network.ports().size() + i, parent);
    }
  }

  /** Ports of each virtual device; empty if NCCL fails to create them. */
  private List<List<Integer>> merged(List<NetPort> ports, List<XmlTreeNode> nets) {
    List<PhysicalPort> physical = new ArrayList<>();
    for (int i = 0; i < ports.size(); i++) {
      NetPort port = ports.get(i);
      physical.add(
          new PhysicalPort(port.name(), port.port(), port.linkLayer().name(), nets.get(i)));
    }
    try {
      return new NicMerger(physical, settings().merging(), PortMerging.WIDENED)
          .merge().stream().filter(members -> members.size() > 1).toList();
    } catch (UnusableTopologyException e) {
      diagnostics.warn(
          "refused-merge",
          SourceLocation.of("NCCL_NET_FORCE_MERGE"),
          e.getMessage() + "; NCCL fails, ports are shown separately");
      return List.of();
    }
  }
}
