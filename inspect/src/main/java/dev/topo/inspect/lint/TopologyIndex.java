package dev.topo.inspect.lint;

import dev.topo.model.xml.PciClass;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Index of the devices of a topology file by kind, each with its ancestors. Elements that NCCL
 * ignores are left out.
 *
 * @param cpus the NUMA domains
 * @param pcis all PCI devices and switches
 * @param gpus the GPUs
 * @param nets the network ports
 */
record TopologyIndex(List<Device> cpus, List<Device> pcis, List<Device> gpus, List<Device> nets) {
  TopologyIndex {
    cpus = List.copyOf(cpus);
    pcis = List.copyOf(pcis);
    gpus = List.copyOf(gpus);
    nets = List.copyOf(nets);
  }

  /**
   * Element with its ancestors.
   *
   * @param element the element
   * @param path the elements around it, outermost first
   * @param firstHost first host in the file; empty if there is none
   */
  public record Device(LintElement element, List<LintElement> path, String firstHost) {
    public Device {
      path = List.copyOf(path);
    }

    private Optional<LintElement> nearest(String name) {
      return path.stream().filter(outer -> outer.name().equals(name)).reduce((a, b) -> b);
    }

    /** PCI function of the device. */
    Optional<LintElement> pci() {
      return nearest("pci");
    }

    /** NUMA domain above the device. */
    Optional<LintElement> cpu() {
      return nearest("cpu");
    }

    /**
     * Host of its CPU, as a prefix that makes names unique among several hosts. A CPU without a
     * host belongs to the first host of the file.
     */
    String host() {
      LintElement cpu = element.name().equals("cpu") ? element : cpu().orElse(element);
      return cpu.value("host_hash").orElse(firstHost) + " ";
    }

    /** Bus id of its PCI function in lower case; empty if there is none. */
    String busId() {
      return pci().map(pci -> pci.text("busid").toLowerCase(Locale.ROOT)).orElse("");
    }

    /** Number of PCI switches between the device and the CPU. */
    int switches() {
      return (int) path.stream().filter(element -> element.name().equals("pci")).count() - 1;
    }

    /** True if an element is an ancestor. */
    boolean isBelow(LintElement other) {
      return path.stream().anyMatch(element -> element.offset() == other.offset());
    }

    int number(String name, int missing) {
      return element.number(name, missing);
    }
  }

  static TopologyIndex of(LintElement system) {
    Map<String, List<Device>> byName = new HashMap<>();
    collect(system, List.of(), firstHost(system).orElse(""), byName);
    Function<String, List<Device>> of = name -> byName.getOrDefault(name, List.of());
    return new TopologyIndex(of.apply("cpu"), of.apply("pci"), of.apply("gpu"), of.apply("net"));
  }

  private static Optional<String> firstHost(LintElement element) {
    Optional<String> own =
        element.name().equals("cpu") ? element.value("host_hash") : Optional.empty();
    return own.or(
        () ->
            element.elements().stream()
                .map(TopologyIndex::firstHost)
                .flatMap(Optional::stream)
                .findFirst());
  }

  private static void collect(
      LintElement element,
      List<LintElement> path,
      String firstHost,
      Map<String, List<Device>> byName) {
    List<LintElement> inside = new ArrayList<>(path);
    inside.add(element);
    for (LintElement child : element.elements()) {
      byName
          .computeIfAbsent(child.name(), n -> new ArrayList<>())
          .add(new Device(child, inside, firstHost));
      collect(child, inside, firstHost, byName);
    }
  }

  /** Hosts that the CPUs name. */
  Set<String> hosts() {
    return cpus.stream()
        .flatMap(cpu -> cpu.element().value("host_hash").stream())
        .collect(Collectors.toSet());
  }

  /**
   * True if the file is an NVLink domain of several hosts, as NCCL dumps it: each host has GPUs,
   * and NVSwitches join them all.
   */
  boolean isNvlinkDomain() {
    Set<String> hosts = hosts();
    Set<String> withGpus =
        gpus.stream()
            .flatMap(gpu -> gpu.cpu().flatMap(cpu -> cpu.value("host_hash")).stream())
            .collect(Collectors.toSet());
    return hosts.size() > 1
        && withGpus.equals(hosts)
        && gpus.stream().allMatch(TopologyIndex::isOnNvSwitch);
  }

  private static boolean isOnNvSwitch(Device gpu) {
    return gpu.element().elements("nvlink").stream()
        .anyMatch(link -> PciClass.of(link.text("tclass")) == PciClass.NVSWITCH);
  }

  boolean hasGpuBelow(LintElement element) {
    return gpus.stream().anyMatch(gpu -> gpu.isBelow(element));
  }

  List<Device> netsBelow(LintElement element) {
    return nets.stream().filter(net -> net.isBelow(element)).toList();
  }
}
