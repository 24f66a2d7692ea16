package dev.topo.probe.assemble;

import dev.topo.model.diagnostic.Diagnostics;
import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.xml.XmlElement;
import dev.topo.model.xml.XmlTreeNode;
import dev.topo.probe.network.NetPort;
import dev.topo.probe.network.NetSettings;
import dev.topo.probe.network.Network;
import dev.topo.probe.network.NetworkFinder;
import dev.topo.probe.nvml.Capability;
import dev.topo.probe.nvml.NvmlDevice;
import dev.topo.probe.sysfs.MachineFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Builds the topology that NCCL builds for one job on all visible GPUs of a machine ({@code
 * ncclTopoGetSystem}, {@code nccl:src/graph/topo.cc}): one tree per rank, with its own GPU and all
 * network devices, then one after the other fused into the first. The order of elements and
 * attributes is NCCL's.
 *
 * @param base a topology that a user or the operator of a virtual machine gives, to begin with
 */
public record SystemAssembler(
    MachineFacts facts, Optional<XmlElement> base, ProbeOptions options, Diagnostics diagnostics) {
  /** First CUDA with DMA-BUF ({@code dmaBufSupported}, {@code nccl:src/init.cc}). */
  private static final int DMA_BUF_CUDA = 11_070;

  private NetSettings settings() {
    return NetSettings.of(options.settings(), options.meetingInterface());
  }

  /**
   * The topology.
   *
   * @param cudaVersion the newest CUDA that the driver supports, {@code 13000} for 13.0
   */
  public XmlElement assemble(List<NvmlDevice> devices, int cudaVersion) {
    return assemble(devices, cudaVersion, new NetworkFinder(facts, settings(), diagnostics).find());
  }

  /** The topology with a network that is known. */
  public XmlElement assemble(List<NvmlDevice> devices, int cudaVersion, Network network) {
    List<NvmlDevice> visible =
        new VisibleDevices(devices, diagnostics).select(options.visibleDevices());
    // CUDA answers for the GPUs that the process sees, and the others do not matter.
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

  /** What there is where NCCL has nothing to run on: every CPU and the network devices. */
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
    // NCCL's own is made of the host's name and the time it started.
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
    List<NetPort> virtual = new NicMerger(network.ports(), nets, settings()).merge();
    VirtualNicPlacer places = new VirtualNicPlacer(tree);
    for (int i = 0; i < virtual.size(); i++) {
      NetPort port = virtual.get(i);
      Optional<XmlTreeNode> parent =
          tree.find("net", "name", port.name()).isPresent()
              ? Optional.empty()
              : places.parent(NicMerger.members(port, nets));
      filler.fill(port, network.ports().size() + i, parent);
    }
  }
}
