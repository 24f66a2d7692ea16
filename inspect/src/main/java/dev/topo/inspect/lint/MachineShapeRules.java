package dev.topo.inspect.lint;

import dev.topo.inspect.lint.TopologyIndex.Device;
import dev.topo.model.io.Diagnostic.Severity;
import dev.topo.model.xml.PciClass;
import dev.topo.search.rules.NcclProfile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Rules for unusual machines in well-formed files. They come from experience, not from NCCL. */
record MachineShapeRules(TopologyIndex index, Findings findings, NcclProfile profile) {
  /**
   * Number of elements from which little room is left for those that NCCL adds at run time; its
   * limit is 256.
   */
  private static final int MANY_ELEMENTS = 230;

  /** PCI vendors without verbs: Amazon's EFA, which has its own plugin, and virtio. */
  private static final Set<String> WITHOUT_VERBS = Set.of("0x1d0f", "0x1af4");

  private static final Pattern BESIDE_FIRST_DEVICE =
      Pattern.compile("[0-9a-f]+:[0-9a-f]{2}:(?!00\\.)[0-9a-f]{2}\\.[0-7]");

  void check(LintElement system, int elements) {
    if (elements >= MANY_ELEMENTS
        && elements <= profile.xml().maxElements
        && !index.isNvlinkDomain()) {
      findings.add(
          LintRule.NEAR_ELEMENT_LIMIT,
          system,
          "has " + elements + " elements of at most " + profile.xml().maxElements);
    }
    manyHosts(system);
    cardsBesideFirstDevice(system);
    if (index.gpus().isEmpty()) {
      boolean mayHave =
          index.pcis().stream()
              .map(Device::element)
              .anyMatch(
                  pci ->
                      pci.children().isEmpty() && PciClass.of(pci.text("class")) != PciClass.NIC);
      findings.add(
          LintRule.NO_GPU,
          mayHave ? Severity.NOTE : Severity.WARNING,
          system,
          "has no gpu" + (mayHave ? "" : ", and no pci for one"));
      return;
    }
    emptyBranches(system);
    generations();
    flatTree(system);
    nics(system);
  }

  private void manyHosts(LintElement system) {
    int hosts = index.hosts().size();
    if (index.isNvlinkDomain()) {
      findings.add(
          LintRule.MANY_HOSTS,
          Severity.NOTE,
          system,
          "is a dump of an NVLink domain of "
              + hosts
              + " hosts; it cannot be given as NCCL_TOPO_FILE");
    } else if (hosts > 1) {
      findings.add(LintRule.MANY_HOSTS, system, "has the CPUs of " + hosts + " hosts");
    }
  }

  /**
   * Reports cards that are not the first device of their bus; if the file lists a card's ports,
   * NCCL finds them by name.
   */
  private void cardsBesideFirstDevice(LintElement element) {
    for (LintElement child : element.elements()) {
      if (!Set.of("cpu", "pci").contains(child.name())) {
        continue;
      }
      boolean isCard =
          child.text("class").startsWith("0x02")
              && child.children().isEmpty()
              && !WITHOUT_VERBS.contains(child.text("vendor"));
      if (isCard && BESIDE_FIRST_DEVICE.matcher(child.text("busid")).matches()) {
        findings.add(
            LintRule.NIC_BESIDE_FIRST_DEVICE, child, "busid", "is not the first device of its bus");
      }
      cardsBesideFirstDevice(child);
    }
  }

  private void emptyBranches(LintElement element) {
    for (LintElement child : element.elements()) {
      boolean isBranch = Set.of("cpu", "pci", "nic").contains(child.name());
      boolean used = index.hasGpuBelow(child) || !index.netsBelow(child).isEmpty();
      if (isBranch && used) {
        emptyBranches(child);
      } else if (isBranch && !child.text("keep").equals("1")) {
        findings.add(LintRule.EMPTY_BRANCH, child, "has no GPU and no NIC below it");
      }
    }
  }

  private static int width(Device gpu) {
    int width = gpu.pci().map(pci -> pci.number("link_width", 16)).orElse(16);
    return width <= 0 ? 16 : width;
  }

  private void generations() {
    Map<Integer, Integer> widest = new HashMap<>();
    Set<Integer> generations = new TreeSet<>();
    for (Device gpu : index.gpus()) {
      int sm = gpu.number("sm", 0);
      widest.merge(sm, width(gpu), Math::max);
      if (sm > 0) {
        generations.add(sm);
      }
    }
    for (Device gpu : index.gpus()) {
      int most = widest.getOrDefault(gpu.number("sm", 0), 16);
      if (width(gpu) < most) {
        LintElement pci = gpu.pci().orElse(gpu.element());
        String message = "where another GPU of this kind has " + most;
        findings.add(LintRule.GPU_LINK_NARROW, pci, "link_width", message);
      }
    }
    if (generations.size() > 1) {
      findings.add(
          LintRule.GPU_SM_MIXED, index.gpus().get(0).element(), "sm", "beside " + generations);
    }
  }

  /** Ports whose PCI device is in the part of the tree that NCCL uses. */
  private List<Device> reachableNets() {
    return index.nets().stream().filter(net -> !net.busId().isEmpty()).toList();
  }

  private void flatTree(LintElement system) {
    int gpus = index.gpus().size();
    List<Device> nets = reachableNets();
    boolean isFlat =
        Stream.concat(index.gpus().stream(), nets.stream()).allMatch(d -> d.switches() <= 0);
    if (gpus >= 2 && !nets.isEmpty() && isFlat && isVirtual()) {
      String devices = "has " + gpus + " GPUs and " + nets.size() + " NICs";
      findings.add(
          LintRule.FLAT_TREE,
          system,
          devices + " directly below their CPUs, as in a virtual machine");
    }
  }

  /**
   * True if the machine looks virtual: a hypervisor puts devices on the first bus or knows neither
   * their NUMA domain nor their link.
   */
  private boolean isVirtual() {
    return index.gpus().stream()
        .anyMatch(
            gpu ->
                gpu.busId().matches("[0-9a-f]+:00:.*")
                    || gpu.pci().flatMap(pci -> pci.value("link_speed")).orElse("x").isEmpty()
                    || gpu.cpu().map(cpu -> cpu.number("numaid", 0)).orElse(0) < 0);
  }

  private void nics(LintElement system) {
    List<LintElement> cpusWithGpus =
        index.cpus().stream().map(Device::element).filter(index::hasGpuBelow).toList();
    List<Device> nets = reachableNets();
    List<LintElement> cpusWithNets =
        index.cpus().stream()
            .map(Device::element)
            .filter(cpu -> nets.stream().anyMatch(net -> net.isBelow(cpu)))
            .toList();
    long cards = nets.stream().map(net -> net.busId().replaceFirst("\\..*", "")).distinct().count();
    if (cpusWithGpus.size() < 2 || cards < 2) {
      return;
    }
    if (cpusWithNets.size() == 1) {
      findings.add(
          LintRule.NICS_ON_ONE_CPU,
          cpusWithNets.get(0),
          "numaid",
          "has all " + cards + " NICs, GPUs hang off " + cpusWithGpus.size() + " CPUs");
      return;
    }
    for (LintElement cpu : cpusWithGpus) {
      if (cpusWithNets.stream().noneMatch(other -> other.offset() == cpu.offset())) {
        findings.add(
            LintRule.CPU_WITHOUT_NIC, cpu, "numaid", "has GPUs and no NIC, others have some");
      }
    }
  }
}
