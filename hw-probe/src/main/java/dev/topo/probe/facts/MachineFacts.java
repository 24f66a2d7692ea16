package dev.topo.probe.facts;

import dev.topo.probe.sysfs.CpuFacts;
import dev.topo.probe.sysfs.KernelFacts;
import dev.topo.probe.sysfs.PciDevice;
import dev.topo.probe.sysfs.PciPath;
import dev.topo.probe.sysfs.network.InfinibandDevice;
import dev.topo.probe.sysfs.network.NetworkInterface;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that the probe takes from Linux.
 *
 * @param pci the devices that matter and the bridges above them, by bus id
 * @param nvidiaGpus bus ids of the GPUs of NVIDIA that PCI lists, in order
 * @param infiniband the InfiniBand devices, in the order of libibverbs
 * @param firstFunctionPaths for each place that NCCL may give to an InfiniBand device, the bus it
 *     is on if that place exists
 * @param interfaces the network interfaces, in the order of the kernel
 * @param virtualTopology the topology that the operator of a virtual machine left for NCCL, as text
 */
public record MachineFacts(
    CpuFacts cpus,
    KernelFacts kernel,
    Map<String, PciDevice> pci,
    List<String> nvidiaGpus,
    List<InfinibandDevice> infiniband,
    Map<PciPath, String> firstFunctionPaths,
    List<NetworkInterface> interfaces,
    Optional<String> virtualTopology) {
  public MachineFacts {
    pci = Collections.unmodifiableMap(new LinkedHashMap<>(pci));
    nvidiaGpus = List.copyOf(nvidiaGpus);
    infiniband = List.copyOf(infiniband);
    firstFunctionPaths = Map.copyOf(firstFunctionPaths);
    interfaces = List.copyOf(interfaces);
  }

  /** Facts of CPUs and PCI devices only, where network cards have access to GPU memory. */
  public static MachineFacts of(CpuFacts cpus, Map<String, PciDevice> pci) {
    return new MachineFacts(
        cpus,
        new KernelFacts(0, 0, true, ""),
        pci,
        List.of(),
        List.of(),
        Map.of(),
        List.of(),
        Optional.empty());
  }

  /** A PCI device, by bus id in any of the forms that NVML uses. */
  public Optional<PciDevice> pciDevice(String busId) {
    return Optional.ofNullable(pci.get(PciPath.lookupKey(busId)));
  }
}
