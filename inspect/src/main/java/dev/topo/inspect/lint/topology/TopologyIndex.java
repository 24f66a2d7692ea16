package dev.topo.inspect.lint.topology;

import dev.topo.inspect.lint.text.LintElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The devices of a topology file by kind, each with its ancestors. Only what NCCL reads is here.
 *
 * @param cpus the NUMA domains
 * @param pcis all PCI devices and switches
 * @param gpus the GPUs
 * @param nets the network ports
 */
public record TopologyIndex(
    List<Device> cpus, List<Device> pcis, List<Device> gpus, List<Device> nets) {
  /** Copies the lists. */
  public TopologyIndex {
    cpus = List.copyOf(cpus);
    pcis = List.copyOf(pcis);
    gpus = List.copyOf(gpus);
    nets = List.copyOf(nets);
  }

  /**
   * An element with its ancestors.
   *
   * @param element the element
   * @param path the elements around it, the outermost first
   */
  public record Device(LintElement element, List<LintElement> path) {
    /** Copies the list. */
    public Device {
      path = List.copyOf(path);
    }

    private Optional<LintElement> nearest(String name) {
      for (int i = path.size() - 1; i >= 0; i--) {
        if (path.get(i).name().equals(name)) {
          return Optional.of(path.get(i));
        }
      }
      return Optional.empty();
    }

    /** The PCI function that it is. */
    Optional<LintElement> pci() {
      return nearest("pci");
    }

    /** The NUMA domain that it hangs off. */
    Optional<LintElement> cpu() {
      return nearest("cpu");
    }

    /** The bus id of its PCI function in lower case; empty without one. */
    String busId() {
      return pci()
          .flatMap(pci -> pci.value("busid"))
          .map(id -> id.toLowerCase(Locale.ROOT))
          .orElse("");
    }

    /** Number of PCI switches between it and the CPU. */
    int switches() {
      return (int) path.stream().filter(element -> element.name().equals("pci")).count() - 1;
    }

    /** Whether an element is its ancestor. */
    boolean isBelow(LintElement other) {
      return path.stream().anyMatch(element -> element.offset() == other.offset());
    }

    /** A number among its attributes. */
    public int number(String name, int missing) {
      return element.number(name, missing);
    }
  }

  public static TopologyIndex of(LintElement system) {
    Collector collector = new Collector();
    collector.collect(system, List.of());
    return new TopologyIndex(collector.cpus, collector.pcis, collector.gpus, collector.nets);
  }

  private static final class Collector {
    private final List<Device> cpus = new ArrayList<>();
    private final List<Device> pcis = new ArrayList<>();
    private final List<Device> gpus = new ArrayList<>();
    private final List<Device> nets = new ArrayList<>();

    private void collect(LintElement element, List<LintElement> path) {
      List<LintElement> inside = new ArrayList<>(path);
      inside.add(element);
      for (LintElement child : element.children()) {
        if (!child.read()) {
          continue;
        }
        Device device = new Device(child, inside);
        switch (child.name()) {
          case "cpu" -> cpus.add(device);
          case "pci" -> pcis.add(device);
          case "gpu" -> gpus.add(device);
          case "net" -> nets.add(device);
          default -> {}
        }
        collect(child, inside);
      }
    }
  }

  /** Whether a GPU hangs below an element. */
  boolean hasGpuBelow(LintElement element) {
    return gpus.stream().anyMatch(gpu -> gpu.isBelow(element));
  }

  /** The network ports below an element. */
  List<Device> netsBelow(LintElement element) {
    return nets.stream().filter(net -> net.isBelow(element)).toList();
  }
}
