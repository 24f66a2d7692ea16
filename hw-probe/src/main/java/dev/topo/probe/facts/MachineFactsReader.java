package dev.topo.probe.facts;

import dev.topo.probe.sysfs.BusPath;
import dev.topo.probe.sysfs.CpuReader;
import dev.topo.probe.sysfs.KernelReader;
import dev.topo.probe.sysfs.PciPath;
import dev.topo.probe.sysfs.PciReader;
import dev.topo.probe.sysfs.SysfsRoot;
import dev.topo.probe.sysfs.network.InfinibandDevice;
import dev.topo.probe.sysfs.network.InfinibandReader;
import dev.topo.probe.sysfs.network.InterfaceAddresses;
import dev.topo.probe.sysfs.network.NetworkInterface;
import dev.topo.probe.sysfs.network.NetworkInterfaceReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads all that the probe takes from Linux, whatever NCCL's settings are, so that a capture
 * answers questions under other settings too.
 */
public final class MachineFactsReader {
  /** Where NCCL looks for a topology without any setting ({@code ncclTopoGetSystem}). */
  private static final String VIRTUAL_TOPOLOGY = "/var/run/nvidia-topologyd/virtualTopology.xml";

  private final SysfsRoot root;
  private final InterfaceAddresses addresses;

  public MachineFactsReader(SysfsRoot root, InterfaceAddresses addresses) {
    this.root = root;
    this.addresses = addresses;
  }

  /**
   * Reads them.
   *
   * @param moreBusIds PCI devices to read besides GPUs of NVIDIA and network cards: other ends of
   *     NVLinks
   */
  public MachineFacts read(Collection<String> moreBusIds) {
    PciReader pci = new PciReader(root);
    List<String> gpus = nvidiaGpus(pci);
    List<InfinibandDevice> infiniband = new InfinibandReader(root).read();
    List<NetworkInterface> interfaces = new NetworkInterfaceReader(root, addresses).read();
    Map<PciPath, String> places = firstFunctionPaths(infiniband);

    Set<String> wanted = new LinkedHashSet<>(gpus);
    wanted.addAll(moreBusIds);
    places.forEach((place, bus) -> wanted.add(place.name()));
    infiniband.forEach(device -> device.path().ifPresent(path -> wanted.add(path.place().name())));
    interfaces.forEach(card -> card.path().ifPresent(path -> wanted.add(path.place().name())));
    List<String> sorted = new ArrayList<>(wanted);
    sorted.sort(null);
    return new MachineFacts(
        new CpuReader(root).read(),
        new KernelReader(root).read(),
        pci.readWithUpstream(sorted),
        gpus,
        infiniband,
        places,
        interfaces,
        root.read(VIRTUAL_TOPOLOGY));
  }

  /** Display controllers of NVIDIA, and its controllers without a display. */
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

  private Map<PciPath, String> firstFunctionPaths(List<InfinibandDevice> devices) {
    Map<PciPath, String> buses = new HashMap<>();
    for (InfinibandDevice device : devices) {
      device
          .path()
          .ifPresent(
              path -> {
                for (boolean merge : new boolean[] {false, true}) {
                  PciPath place = path.place().firstFunction(merge);
                  buses.put(place, BusPath.read(root, place.text()).subsystem());
                }
              });
    }
    return buses;
  }
}
