package dev.topo.hw.foreign;

import static dev.topo.hw.foreign.DeviceSlots.busId;

import dev.topo.hw.foreign.GpuModel.NvlinkWiring;
import dev.topo.hw.nvml.Capability;
import dev.topo.hw.nvml.NvmlDevice;
import dev.topo.hw.probe.PeerFiller;
import dev.topo.hw.probe.ProbeOptions;
import dev.topo.hw.probe.SystemAssembler;
import dev.topo.hw.sysfs.CpuFacts;
import dev.topo.hw.sysfs.MachineFacts;
import dev.topo.hw.sysfs.PciDevice;
import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.CpuPreset;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.TextWriter;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlTree;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Completes a topology file as NCCL does at run time on a machine with the devices of an {@link
 * Assumption}: each rank adds its own GPU and all network devices and drops branches without
 * either, and the trees of all ranks are joined ({@code ncclTopoGetSystem}, {@code
 * nccl:src/graph/topo.cc}). Existing elements of the file are kept. A complete file is returned
 * unchanged. Reusable.
 */
public record MachineCompleter(Assumption assumption) {
  /** True if the completed machines have only the NVLinks of their files. */
  public boolean addsNoNvlink() {
    return assumption.wiring() == NvlinkWiring.NONE;
  }

  /** Remote end of an NVLink when a virtual machine hides its NVSwitches. */
  private static final String NVSWITCH = "ffffffff:ffff:ff";

  /** CUDA driver version that supports every GPU and DMA-BUF. */
  private static final int CUDA = 13_000;

  /**
   * Completes a file with all assumed devices.
   *
   * @throws TopologyFormatException if the file has no PCI device that can be a GPU
   */
  public CompletedMachine complete(XmlDocument document) {
    // GeForce cards have no GPUDirect RDMA, and no P2P either.
    return complete(document, (from, to) -> assumption.gpu().gdr());
  }

  /**
   * Completes a file with all assumed devices, and with the driver's answers about P2P between GPUs
   * by number.
   */
  CompletedMachine complete(XmlDocument document, BiPredicate<Integer, Integer> mayAccess) {
    XmlElement stated = withCpus(document.root());
    XmlTree tree = XmlTree.of(stated);
    String classes = DeviceSlots.addClasses(tree, assumption.gpus());
    XmlElement system = classes.isEmpty() ? stated : tree.system().toElement();
    DeviceSlots slots = DeviceSlots.find(system);
    if (slots.gpus().isEmpty()) {
      throw new TopologyFormatException(
          system.location(),
          "<system>: has no place for a GPU, expected <pci> with class=\"0x030200\"");
    }
    List<NvmlDevice> devices = devices(slots);
    AssumedNetwork network = new AssumedNetwork(assumption, slots, system);
    int elementsFused = TreeSize.fused(system, devices, CUDA, network.network());
    if (isComplete(slots)) {
      return new CompletedMachine(
          new XmlDocument(document.before(), system, document.after()),
          describeCpus(document),
          TreeSize.count(system),
          elementsFused);
    }
    XmlElement complete =
        new SystemAssembler(
                facts(slots), Optional.of(system), ProbeOptions.DEFAULTS, new Diagnostics())
            .assemble(devices, CUDA, network.network());
    complete = new PeerFiller(mayAccess).fill(complete);
    String assumed =
        Stream.of(
                classes,
                describeGpus(slots, devices.size()),
                network.assumed(),
                describeCpus(document))
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining("; "));
    return new CompletedMachine(
        new XmlDocument(
            document.before(), withLocation(complete, system.location()), document.after()),
        assumed,
        TreeSize.ofRank(system, complete),
        elementsFused);
  }

  private boolean isComplete(DeviceSlots slots) {
    return slots.gpus().size() <= assumption.gpus()
        && slots.nics().size() <= assumption.nics()
        && slots.gpus().stream()
            .map(pci -> pci.elements("gpu"))
            .allMatch(
                gpu ->
                    !gpu.isEmpty()
                        && gpu.get(0).attribute("sm").isPresent()
                        && (addsNoNvlink() || !gpu.get(0).elements("nvlink").isEmpty()))
        && (assumption.netMbps().isEmpty()
            || slots.nics().stream().noneMatch(pci -> pci.elements("nic").isEmpty()));
  }

  private List<NvmlDevice> devices(DeviceSlots slots) {
    List<XmlElement> present =
        slots.gpus().subList(0, Math.min(slots.gpus().size(), assumption.gpus()));
    List<Integer> numbers = numbers(present);
    // NCCL's ranks are the GPUs in the order of their numbers.
    List<Integer> order =
        IntStream.range(0, present.size())
            .boxed()
            .sorted(Comparator.comparing(numbers::get))
            .toList();
    List<NvmlDevice> devices = new ArrayList<>();
    for (int rank = 0; rank < order.size(); rank++) {
      int index = order.get(rank);
      devices.add(
          new NvmlDevice(
              numbers.get(index),
              busId(present.get(index)),
              "",
              assumption.gpu().sm(),
              Capability.of(assumption.gdr().orElse(assumption.gpu().gdr())),
              Capability.YES,
              false,
              links(rank, order, present),
              c2cLinks()));
    }
    return devices;
  }

  /**
   * Device numbers of the GPUs: those in the file, and the lowest free ones by bus id for the
   * others.
   */
  private static List<Integer> numbers(List<XmlElement> gpus) {
    List<Optional<Integer>> stated = gpus.stream().map(MachineCompleter::statedNumber).toList();
    TreeSet<Integer> free = new TreeSet<>(IntStream.range(0, 2 * gpus.size()).boxed().toList());
    stated.forEach(number -> number.ifPresent(free::remove));
    List<Integer> numbers = new ArrayList<>();
    for (Optional<Integer> number : stated) {
      numbers.add(number.orElseGet(free::pollFirst));
    }
    return numbers;
  }

  private static Optional<Integer> statedNumber(XmlElement pci) {
    return pci.elements("gpu").stream()
        .findFirst()
        .flatMap(gpu -> gpu.attribute("dev"))
        .filter(dev -> dev.matches("[0-9]{1,3}"))
        .map(Integer::valueOf);
  }

  private List<NvmlDevice.Nvlink> links(int rank, List<Integer> order, List<XmlElement> gpus) {
    int neighbour = rank ^ 1;
    List<String> targets =
        switch (assumption.wiring()) {
          case NONE -> List.of();
          case NVSWITCH -> nvswitches();
          case PAIRS ->
              neighbour < order.size()
                  ? List.of(busId(gpus.get(order.get(neighbour))))
                  : List.<String>of();
        };
    if (targets.isEmpty()) {
      return List.of();
    }
    return IntStream.range(0, assumption.gpu().links(assumption.wiring()))
        .mapToObj(
            number ->
                new NvmlDevice.Nvlink(
                    number, true, true, Optional.of(targets.get(number % targets.size()))))
        .toList();
  }

  /**
   * Targets of the NVLinks to NVSwitches. NCCL treats all NVSwitches as one, but a GPU has an
   * element for each.
   */
  private List<String> nvswitches() {
    return assumption.nvswitches() == 1
        ? List.of(NVSWITCH)
        : IntStream.range(0, assumption.nvswitches())
            .mapToObj(number -> TextWriter.format("fffe:00:%02x.0", number))
            .toList();
  }

  private List<NvmlDevice.C2cLink> c2cLinks() {
    int bwMBps = assumption.gpu().c2cMBps();
    return bwMBps == 0 ? List.of() : List.of(new NvmlDevice.C2cLink(0, true, bwMBps));
  }

  /** Facts about the machine: only the GPUs with their PCI classes, which NVLink elements state. */
  private static MachineFacts facts(DeviceSlots slots) {
    Map<String, PciDevice> pci = new LinkedHashMap<>();
    for (XmlElement gpu : slots.gpus()) {
      String pciClass = gpu.value("class");
      String speed = gpu.value("link_speed");
      pci.put(
          busId(gpu),
          new PciDevice(
              busId(gpu), pciClass, "", "", "", "", speed, 0, "-1", Optional.empty(), List.of()));
    }
    return MachineFacts.of(new CpuFacts(CpuArch.UNKNOWN, Optional.empty(), Map.of()), pci);
  }

  private XmlElement withCpus(XmlElement system) {
    return system.with(
        system.replaced(
            cpu -> Stream.of(missingAttribute(cpu).isPresent() ? withModel(cpu) : cpu)));
  }

  /**
   * Name of the first attribute of a CPU that the file lacks and that NCCL would take from the
   * machine; empty if there is none. Only x86 has a vendor and a model ({@code
   * ncclTopoGetXmlFromCpu}, {@code nccl:src/graph/xml.cc}).
   */
  private static Optional<String> missingAttribute(XmlElement element) {
    if (!element.name().equals("cpu")) {
      return Optional.empty();
    }
    boolean isX86 = element.value("arch").equals("x86_64");
    return Stream.of("arch", "vendor", "familyid", "modelid")
        .filter(name -> name.equals("arch") || isX86)
        .filter(name -> element.attribute(name).isEmpty())
        .findFirst();
  }

  private XmlElement withModel(XmlElement cpu) {
    Optional<String> missing = missingAttribute(cpu);
    Map<String, String> attributes = new LinkedHashMap<>(cpu.attributes());
    assumption
        .cpu()
        .map(CpuPreset::attributes)
        .filter(
            kind -> cpu.attribute("arch").map(arch -> arch.equals(kind.get("arch"))).orElse(true))
        .ifPresent(kind -> kind.forEach(attributes::putIfAbsent));
    XmlElement completed = cpu.with(attributes, cpu.children());
    if (missingAttribute(completed).isPresent()) {
      throw cpu.error(
          ("has no %s, which NCCL takes from the machine, expected cpu=NAME%s in the"
                  + " assumption, one of %s")
              .formatted(
                  missing.orElse("arch"),
                  cpu.attribute("arch").map(arch -> " of arch " + arch).orElse(""),
                  CpuPreset.names()));
    }
    return completed;
  }

  private String describeCpus(XmlDocument document) {
    long count =
        document.root().elements().stream()
            .filter(cpu -> missingAttribute(cpu).isPresent())
            .count();
    return count == 0 ? "" : count + " x CPU " + assumption.cpu().map(CpuPreset::word).orElse("");
  }

  /**
   * Describes the assumptions about GPUs missing from the file, and about the properties of those
   * in it.
   */
  private String describeGpus(DeviceSlots slots, int present) {
    GpuModel gpu = assumption.gpu();
    List<XmlElement> stated =
        slots.gpus().subList(0, present).stream()
            .flatMap(pci -> pci.elements("gpu").stream().limit(1))
            .toList();
    String selected = present < slots.gpus().size() ? " of " + slots.gpus().size() : "";
    int added = present - stated.size();
    if (added > 0) {
      return "%s%s x %s (sm %s, %s%s, %sGPUDirect RDMA) in the order of bus ids%s"
          .formatted(
              added,
              stated.isEmpty() ? selected : "",
              gpu,
              gpu.sm(),
              wiring(),
              gpu.c2cMBps() == 0 ? "" : ", NVLink-C2C",
              assumption.gdr().orElse(gpu.gdr()) ? "" : "no ",
              stated.isEmpty() ? "" : " beside " + stated.size() + " that the file names");
    }
    List<String> parts = new ArrayList<>();
    if (!selected.isEmpty()) {
      parts.add("the first " + present + selected + " GPUs by bus id");
    }
    long unknown = stated.stream().filter(known -> known.attribute("sm").isEmpty()).count();
    if (unknown > 0) {
      parts.add("sm " + gpu.sm() + " for " + unknown + " of the GPUs that the file names");
    }
    long alone = stated.stream().filter(known -> known.elements("nvlink").isEmpty()).count();
    if (alone > 0 && assumption.wiring() != NvlinkWiring.NONE) {
      parts.add(wiring() + " for " + alone + " of the GPUs that the file names");
    }
    return String.join("; ", parts);
  }

  private String wiring() {
    GpuModel gpu = assumption.gpu();
    return switch (assumption.wiring()) {
      case NONE -> "no NVLink";
      case NVSWITCH ->
          "%s NVLinks each to %sNVSwitches"
              .formatted(
                  gpu.links(NvlinkWiring.NVSWITCH),
                  assumption.nvswitches() == 1 ? "" : assumption.nvswitches() + " ");
      case PAIRS -> gpu.links(NvlinkWiring.PAIRS) + " NVLinks in each pair";
    };
  }

  /**
   * Returns an element and all below it with a location in the file, because they have none of
   * their own.
   */
  private static XmlElement withLocation(XmlElement element, SourceLocation location) {
    return new XmlElement(
        element.name(),
        element.attributes(),
        element.replaced(child -> Stream.of(withLocation(child, location))),
        location);
  }
}
