package dev.topo.hw.sysfs;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Facts that the probe reads from Linux.
 *
 * @param pci relevant devices and the bridges above them, by bus id
 * @param nvidiaGpus bus ids of NVIDIA GPUs on PCI, in order
 * @param infiniband InfiniBand devices, in the order of libibverbs
 * @param firstFunctionPaths bus of each location that NCCL may assign to an InfiniBand device;
 *     empty if the location does not exist
 * @param interfaces network interfaces, in the order of the kernel
 * @param virtualTopology text of the topology that the operator of a virtual machine provides for
 *     NCCL
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
  /** Topology file that NCCL reads if no setting names one ({@code ncclTopoGetSystem}). */
  private static final String VIRTUAL_TOPOLOGY = "/var/run/nvidia-topologyd/virtualTopology.xml";

  public MachineFacts {
    pci = Collections.unmodifiableMap(new LinkedHashMap<>(pci));
    nvidiaGpus = List.copyOf(nvidiaGpus);
    infiniband = List.copyOf(infiniband);
    firstFunctionPaths = Map.copyOf(firstFunctionPaths);
    interfaces = List.copyOf(interfaces);
  }

  /** Facts with CPUs and PCI devices only, where network cards have access to GPU memory. */
  public static MachineFacts of(CpuFacts cpus, Map<String, PciDevice> pci) {
    KernelFacts kernel = new KernelFacts(0, 0, true, "");
    return new MachineFacts(
        cpus, kernel, pci, List.of(), List.of(), Map.of(), List.of(), Optional.empty());
  }

  /**
   * Reads the facts, independent of NCCL's settings, so that a capture can be evaluated with other
   * settings, too.
   *
   * @param moreBusIds PCI devices to read besides NVIDIA GPUs and network cards: other ends of
   *     NVLinks
   */
  public static MachineFacts read(
      SysfsRoot root, InterfaceAddresses addresses, Collection<String> moreBusIds) {
    PciReader pci = new PciReader(root);
    List<String> gpus = nvidiaGpus(pci);
    List<InfinibandDevice> infiniband = InfinibandDevice.readAll(root);
    List<NetworkInterface> interfaces = NetworkInterface.readAll(root, addresses);
    Map<PciPath, String> places = firstFunctionPaths(root, infiniband);

    Set<String> wanted = new LinkedHashSet<>(gpus);
    wanted.addAll(moreBusIds);
    places.forEach((place, bus) -> wanted.add(place.name()));
    infiniband.forEach(device -> device.path().ifPresent(path -> wanted.add(path.place().name())));
    interfaces.forEach(card -> card.path().ifPresent(path -> wanted.add(path.place().name())));
    return new MachineFacts(
        CpuFacts.read(root),
        KernelFacts.read(root),
        pci.readWithUpstream(wanted.stream().sorted().toList()),
        gpus,
        infiniband,
        places,
        interfaces,
        root.read(VIRTUAL_TOPOLOGY));
  }

  /** Bus ids of NVIDIA's display controllers, and of its controllers without a display. */
  private static List<String> nvidiaGpus(PciReader pci) {
    return pci.busIds().stream()
        .filter(busId -> pci.vendor(busId).equals("0x10de"))
        .filter(
            busId -> {
              String pciClass = pci.pciClass(busId);
              return pciClass.startsWith("0x0300") || pciClass.startsWith("0x0302");
            })
        .toList();
  }

  private static Map<PciPath, String> firstFunctionPaths(
      SysfsRoot root, List<InfinibandDevice> devices) {
    Map<PciPath, String> buses = new HashMap<>();
    for (BusPath path : devices.stream().flatMap(device -> device.path().stream()).toList()) {
      for (boolean merge : new boolean[] {false, true}) {
        PciPath place = path.place().firstFunction(merge);
        buses.put(place, BusPath.read(root, place.text()).subsystem());
      }
    }
    return buses;
  }

  /** PCI device by bus id, in any of NVML's formats. */
  public Optional<PciDevice> pciDevice(String busId) {
    return Optional.ofNullable(pci.get(PciPath.lookupKey(busId)));
  }
}
