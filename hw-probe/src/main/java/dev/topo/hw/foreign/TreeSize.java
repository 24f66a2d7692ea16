package dev.topo.hw.foreign;

import dev.topo.hw.nvml.NvmlDevice;
import dev.topo.hw.probe.ProbeOptions;
import dev.topo.hw.probe.SystemAssembler;
import dev.topo.hw.sysfs.CpuFacts;
import dev.topo.hw.sysfs.MachineFacts;
import dev.topo.hw.sysfs.Network;
import dev.topo.hw.sysfs.PciDevice;
import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Counts the elements that NCCL needs for a file on a machine with the devices of the file. Each
 * rank adds missing elements and attributes between the root and its own GPU or an unlisted port.
 * If an element differs between the trees of two ranks for that reason, the fused tree contains
 * both versions ({@code ncclTopoFuseXml}, {@code nccl:src/graph/xml.cc}). The values of added
 * attributes do not affect the number.
 */
final class TreeSize {
  /** Prefix of placeholder bus ids that cloud operators use for devices that do not exist. */
  private static final String PLACEHOLDER_PREFIX = "fff";

  private static final String ANY_ID = "0x0001";
  private static final String ANY_SPEED = "8.0 GT/s PCIe";

  private TreeSize() {}

  /** Number of elements in the fused tree of all ranks. */
  static int fused(XmlElement file, List<NvmlDevice> gpus, int cudaVersion, Network network) {
    Map<String, PciDevice> pci = new LinkedHashMap<>();
    Map<String, String> cpumaps = new LinkedHashMap<>();
    for (XmlElement element : file.all().toList()) {
      String busId = DeviceSlots.busId(element);
      if (element.name().equals("cpu")) {
        cpumaps.put(element.value("numaid"), "ffffffff");
      } else if (element.name().equals("pci") && !busId.startsWith(PLACEHOLDER_PREFIX)) {
        pci.put(busId, device(busId, element.value("class")));
      }
    }
    MachineFacts facts =
        MachineFacts.of(
            new CpuFacts(
                CpuArch.X86, Optional.of(new CpuFacts.Identity("GenuineIntel", 6, 1)), cpumaps),
            pci);
    return count(
        new SystemAssembler(facts, Optional.of(file), ProbeOptions.DEFAULTS, new Diagnostics())
            .assemble(gpus, cudaVersion, network));
  }

  private static PciDevice device(String busId, String pciClass) {
    return new PciDevice(
        busId,
        pciClass,
        ANY_ID,
        ANY_ID,
        ANY_ID,
        ANY_ID,
        ANY_SPEED,
        1,
        "-1",
        Optional.empty(),
        List.of());
  }

  static int count(XmlElement element) {
    return (int) element.all().count();
  }

  /**
   * Number of elements in the tree of one rank before it is trimmed: those of the file, the rank's
   * GPU and all ports.
   *
   * @param complete the file as completed by NCCL
   */
  static int ofRank(XmlElement file, XmlElement complete) {
    int network = 0;
    for (String name : List.of("nic", "net")) {
      network += count(complete, name) - count(file, name);
    }
    int gpu = largestGpu(file) > 0 ? largestGpu(complete) - largestGpu(file) : largestGpu(complete);
    return count(file) + gpu + network;
  }

  private static int count(XmlElement element, String name) {
    return (int) element.all().filter(child -> child.name().equals(name)).count();
  }

  private static int largestGpu(XmlElement element) {
    return element
        .all()
        .filter(child -> child.name().equals("gpu"))
        .mapToInt(TreeSize::count)
        .max()
        .orElse(0);
  }
}
