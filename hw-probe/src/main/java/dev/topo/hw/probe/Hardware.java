package dev.topo.hw.probe;

import dev.topo.hw.nvml.Capability;
import dev.topo.hw.nvml.NvmlSnapshot;
import dev.topo.hw.sysfs.FileTree;
import dev.topo.hw.sysfs.InfinibandDevice;
import dev.topo.hw.sysfs.KernelFacts;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Devices that NCCL would use, and prerequisites for NICs to access GPU memory.
 *
 * @param network network that NCCL would use: {@code IB}, {@code Socket}, or empty for none
 * @param peerMemory whether a kernel module lets NICs access GPU memory ({@code nvidia_peermem})
 * @param kernelDmaBuf whether the kernel's InfiniBand core supports DMA-BUF (5.12 and newer)
 * @param gpuDmaBuf whether CUDA exports the memory of all GPUs as DMA-BUF
 */
public record Hardware(
    List<GpuUse> gpus,
    List<NicUse> nics,
    String network,
    boolean peerMemory,
    boolean kernelDmaBuf,
    Capability gpuDmaBuf) {
  public Hardware {
    gpus = List.copyOf(gpus);
    nics = List.copyOf(nics);
  }

  static Hardware of(ProbeResult result, FileTree files) {
    List<GpuUse> gpus = new ArrayList<>();
    List<NicUse> nics = new ArrayList<>();
    for (XmlElement cpu : result.system().elements("cpu")) {
      collect(cpu, "", cpu.value("numaid"), files, gpus, nics);
    }
    gpus.sort(Comparator.comparingInt(GpuUse::dev));
    Set<String> infiniband =
        result.observation().facts().infiniband().stream()
            .map(InfinibandDevice::name)
            .collect(Collectors.toSet());
    String network = "";
    if (!nics.isEmpty()) {
      network = nics.stream().anyMatch(nic -> infiniband.contains(nic.name())) ? "IB" : "Socket";
    }
    KernelFacts kernel = result.observation().facts().kernel();
    return new Hardware(
        gpus,
        nics,
        network,
        kernel.peerMemory(),
        kernel.infinibandDmaBuf(),
        gpuDmaBuf(result.observation().nvml().value()));
  }

  private static Capability gpuDmaBuf(Optional<NvmlSnapshot> snapshot) {
    List<Capability> capabilities =
        snapshot.stream().flatMap(s -> s.devices().stream()).map(gpu -> gpu.dmaBuf()).toList();
    if (capabilities.isEmpty() || capabilities.contains(Capability.UNKNOWN)) {
      return Capability.UNKNOWN;
    }
    return Capability.of(!capabilities.contains(Capability.NO));
  }

  private static void collect(
      XmlElement element,
      String busId,
      String numa,
      FileTree files,
      List<GpuUse> gpus,
      List<NicUse> nics) {
    for (XmlElement child : element.elements()) {
      switch (child.name()) {
        case "pci" -> collect(child, child.value("busid"), numa, files, gpus, nics);
        case "nic" -> collect(child, busId, numa, files, gpus, nics);
        case "gpu" ->
            gpus.add(
                new GpuUse(
                    number(child, "dev"),
                    busId,
                    model(files, busId),
                    number(child, "sm"),
                    numa,
                    number(child, "gdr") != 0));
        case "net" ->
            nics.add(
                new NicUse(
                    child.value("name"),
                    number(child, "port"),
                    number(child, "speed"),
                    numa,
                    number(child, "gdr") != 0));
        default -> {}
      }
    }
  }

  private static int number(XmlElement element, String name) {
    try {
      return Integer.parseInt(element.attribute(name).orElse("0"));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static String model(FileTree files, String busId) {
    String folder = "/proc/driver/nvidia/gpus/" + busId.toLowerCase(Locale.ROOT);
    return files
        .text(folder + "/information")
        .orElse("")
        .lines()
        .filter(line -> line.startsWith("Model:"))
        .map(line -> line.substring("Model:".length()).strip())
        .findFirst()
        .orElse("");
  }
}
