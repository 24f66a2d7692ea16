package dev.topo.hw.foreign;

import dev.topo.hw.foreign.SmiQueryFile.Gpu;
import dev.topo.model.CpuPreset;
import dev.topo.model.io.InputText;
import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.SpecException;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Builds a topology file from the output of other tools on one machine: lstopo's XML has the PCI
 * tree and the names of ports, {@code nvidia-smi topo -m} the NVLinks and the types of connections,
 * {@code nvidia-smi -q -x} the GPUs, {@code nvidia-smi topo -p2p r} the driver's answers about P2P.
 * Any one of the first three is enough, with more assumptions; several give more facts. Single use.
 */
public final class MachineImporter {
  private static final String EXPECTED =
      "expected lstopo's XML, nvidia-smi -q -x or nvidia-smi topo -m";

  /** First compute capabilities of GPUs with PCIe 5 and 4 (NVIDIA's data sheets). */
  private static final int FIRST_OF_PCIE_5 = 90;

  private static final int FIRST_OF_PCIE_4 = 80;
  private static final int LANES = 16;

  /**
   * Maximum number of elements, above NCCL's limit in any release ({@code
   * NCCL_TOPO_XML_MAX_NODES}).
   */
  private static final int MAX_ELEMENTS = 1024;

  private final String assumption;
  private Optional<ForeignMachine> lstopo = Optional.empty();
  private Optional<SmiMatrix> matrix = Optional.empty();
  private Optional<SmiMatrix> access = Optional.empty();
  private List<Gpu> query = List.of();
  private String queryFile = "";
  private String firstFile = "";

  /**
   * Importer.
   *
   * @param assumption facts that the tools do not show, as in {@link Assumption#parse}; may be
   *     empty, or lack {@code gpu} if a file names the GPUs
   */
  public MachineImporter(String assumption) {
    this.assumption = assumption;
  }

  /**
   * Result of an import.
   *
   * @param assumed the assumptions, a phrase each
   */
  public record Imported(XmlDocument document, List<String> assumed) {
    public Imported {
      assumed = List.copyOf(assumed);
    }
  }

  /**
   * Adds the output of a tool.
   *
   * @param name name of the file, for messages
   * @throws TopologyFormatException if the content is from an unknown tool, damaged, or the second
   *     from one tool
   */
  public void add(byte[] content, String name) {
    String text = InputText.printed(content);
    firstFile = firstFile.isEmpty() ? name : firstFile;
    switch (ForeignXml.rootName(text)) {
      case "topology" -> {
        requireFirst(lstopo.isEmpty(), "lstopo", name);
        lstopo = Optional.of(LstopoReader.read(content, name));
      }
      case "nvidia_smi_log" -> {
        requireFirst(query.isEmpty(), "nvidia-smi -q -x", name);
        query = gpus(content, name);
        queryFile = name;
      }
      case "system" ->
          throw new TopologyFormatException(
              name, "is a topology file of NCCL already, " + EXPECTED);
      default -> {
        if (!SmiMatrixReader.isMatrix(text)) {
          throw new TopologyFormatException(name, "is the output of no known tool, " + EXPECTED);
        }
        SmiMatrix table = SmiMatrixReader.read(text, name);
        boolean isAccess = table.isAccess();
        requireFirst(
            (isAccess ? access : matrix).isEmpty(),
            "nvidia-smi topo " + (isAccess ? "-p2p r" : "-m"),
            name);
        if (isAccess) {
          access = Optional.of(table);
        } else {
          matrix = Optional.of(table);
        }
      }
    }
  }

  private static void requireFirst(boolean isFirst, String tool, String name) {
    if (!isFirst) {
      throw new TopologyFormatException(
          name, "is the second file of " + tool + ", expected one of each tool, of one machine");
    }
  }

  private static List<Gpu> gpus(byte[] content, String name) {
    List<Gpu> gpus = ForeignXml.read(content, SmiQueryFile.class, name).gpus();
    Map<String, PlacedText> places = new HashMap<>();
    for (Gpu gpu : gpus) {
      PlacedText busId = gpu.pci().busId();
      if (!ForeignDevice.isBusId(SmiGpu.busId(gpu))) {
        throw new TopologyFormatException(
            busId.in(name),
            "<pci_bus_id>: '%s', expected one as 00000000:1A:00.0".formatted(busId.text()));
      }
      busId.addOnce(places, "<pci_bus_id>", SmiGpu.busId(gpu), name);
    }
    if (gpus.isEmpty()) {
      throw new TopologyFormatException(name, "has no <gpu>, " + EXPECTED);
    }
    return gpus;
  }

  /**
   * Builds the topology file.
   *
   * @throws SettingException if a fact is neither known nor assumed
   */
  public Imported machine() {
    int inMatrix = matrix.map(machine -> machine.gpus().size()).orElse(0);
    if (!query.isEmpty() && matrix.isPresent() && inMatrix != query.size()) {
      throw new SettingException(
          "nvidia-smi -q -x shows %s GPUs and nvidia-smi topo -m %s: expected files of one machine"
              .formatted(query.size(), inMatrix));
    }
    if (query.isEmpty() && matrix.isEmpty() && lstopo.isEmpty()) {
      throw new TopologyFormatException(firstFile, "shows P2P only, " + EXPECTED + ", too");
    }
    if (!has("gpu") && Assumption.modelOf(product()).isEmpty()) {
      requireFacts();
    }
    Assumption assumed = parsed(assumptionText());
    requireFacts();
    matrix.ifPresent(links -> new MatrixLinks(links, assumed).check());
    PciLink usual = usualLink(assumed.gpu().sm());
    ForeignMachine machine = described(usual).orElseGet(() -> gpusAlone(usual));
    machine = withQuery(machine);
    if (assumed.cpu().isEmpty() && machine.cpus().stream().anyMatch(cpu -> cpu.arch().isEmpty())) {
      throw SpecException.worded(
          SpecField.ASSUME,
          SpecText.of(
              "the CPU is not known: expected %s cpu=NAME, one of %s",
              SpecField.ASSUME, CpuPreset.names()));
    }
    List<String> phrases = new ArrayList<>(machine.assumed());
    SystemTree tree = new SystemTree(machine, links(machine), assumed);
    XmlDocument document = tree.document();
    requireRoom(document.root());
    MachineCompleter completer = new MachineCompleter(assumed);
    CompletedMachine completed =
        access
            .map(table -> completer.complete(document, table::mayAccess))
            .orElseGet(() -> completer.complete(document));
    phrases.addAll(tree.assumed());
    if (!completed.assumed().isEmpty()) {
      phrases.add(completed.assumed());
    }
    return new Imported(completed.document(), phrases);
  }

  /** Rejects a file with more elements than NCCL can read, before it is completed. */
  private void requireRoom(XmlElement system) {
    int count = TreeSize.count(system);
    if (count > MAX_ELEMENTS) {
      throw new TopologyFormatException(
          firstFile,
          "the topology file would have %s elements, expected at most %s: NCCL has room for fewer"
              .formatted(count, MAX_ELEMENTS));
    }
  }

  private static Assumption parsed(String text) {
    try {
      return Assumption.parse(text);
    } catch (SettingException e) {
      throw new SpecException(SpecField.ASSUME, e, " %s", e.getMessage());
    }
  }

  private static PciLink usualLink(int sm) {
    return PciLink.of(sm >= FIRST_OF_PCIE_5 ? 5 : sm >= FIRST_OF_PCIE_4 ? 4 : 3, LANES);
  }

  /** Product name of the GPUs; empty if no file has it. */
  private String product() {
    return query.isEmpty()
        ? lstopo.map(ForeignMachine::product).orElse("")
        : query.get(0).product();
  }

  /** Reports all missing facts in one error. */
  private void requireFacts() {
    MissingFacts.require(assumption, product(), described(PciLink.UNKNOWN));
  }

  /** The machine of lstopo, else that of the matrix, with {@code link} for each PCI link. */
  private Optional<ForeignMachine> described(PciLink link) {
    return lstopo.or(() -> matrix.map(smiMatrix -> MatrixMachine.of(smiMatrix, query, link)));
  }

  /** The user's assumption, completed with the model of the GPUs that a file names. */
  private String assumptionText() {
    List<String> parts = new ArrayList<>();
    String product = product();
    if (!has("gpu")) {
      parts.add(
          "gpu="
              + Assumption.modelOf(product)
                  .orElseThrow(
                      () ->
                          SpecException.worded(
                              SpecField.ASSUME,
                              product.isEmpty()
                                  ? SpecText.of(
                                      "the model of the GPUs is not known: expected %s gpu=MODEL, or also the output of nvidia-smi -q -x",
                                      SpecField.ASSUME)
                                  : SpecText.of(
                                      "the GPU '%s' is not known: expected %s gpu=MODEL",
                                      product, SpecField.ASSUME))));
    }
    boolean isCard = product.contains("PCIe") || product.contains("PCIE");
    if (!has("nvlink") && (matrix.isPresent() || isCard)) {
      parts.add("nvlink=none"); // those of the matrix are in the file
    }
    if (!assumption.isEmpty()) {
      parts.add(assumption);
    }
    return String.join(",", parts);
  }

  private boolean has(String key) {
    return ("," + assumption).contains("," + key + "=");
  }

  private ForeignMachine gpusAlone(PciLink usual) {
    List<ForeignDevice> devices =
        query.stream()
            .map(
                gpu ->
                    new ForeignDevice(
                        SmiGpu.busId(gpu), "0x030200", "", "", usual, Optional.empty(), "0", ""))
            .toList();
    return new ForeignMachine(
        List.of(new ForeignCpu("0", "", "", "", "", "")),
        devices,
        Map.of(),
        "",
        List.of(
            "all GPUs on one CPU, without PCI switches and NICs, which nvidia-smi -q -x does not show"));
  }

  /** Adds the GPU properties of {@code nvidia-smi -q -x} to a machine. */
  private ForeignMachine withQuery(ForeignMachine machine) {
    Map<String, Gpu> byBusId = new LinkedHashMap<>();
    query.forEach(gpu -> byBusId.put(SmiGpu.busId(gpu), gpu));
    List<String> present = busIds(machine);
    for (Gpu gpu : query) {
      if (!present.contains(SmiGpu.busId(gpu))) {
        throw new TopologyFormatException(
            gpu.pci().busId().in(queryFile),
            "<pci_bus_id>: lstopo shows no GPU %s, expected files of one machine"
                .formatted(SmiGpu.busId(gpu)));
      }
    }
    List<ForeignDevice> devices =
        machine.devices().stream()
            .map(
                device ->
                    Optional.ofNullable(byBusId.get(device.busId()))
                        .map(
                            gpu ->
                                device.with(
                                    SmiGpu.ids(gpu.pci().id()),
                                    SmiGpu.ids(gpu.pci().subsystem()),
                                    SmiGpu.link(gpu, queryFile)))
                        .orElse(device))
            .toList();
    return new ForeignMachine(
        machine.cpus(), devices, machine.nvlinks(), machine.product(), machine.assumed());
  }

  private static List<String> busIds(ForeignMachine machine) {
    return machine.gpus().stream().map(ForeignDevice::busId).toList();
  }

  /** NVLinks of the matrix by the bus ids of the machine; empty without a matrix. */
  private Map<String, Map<String, Integer>> links(ForeignMachine machine) {
    if (matrix.isEmpty() || lstopo.isEmpty()) {
      return machine.nvlinks();
    }
    List<String> inOrder = busIds(machine).stream().sorted().toList();
    ForeignMachine other = MatrixMachine.of(matrix.get(), query, PciLink.UNKNOWN);
    List<String> others = busIds(other).stream().sorted().toList();
    if (inOrder.size() != others.size()) {
      throw new SettingException(
          "lstopo shows %s GPUs and nvidia-smi topo -m %s: expected files of one machine"
              .formatted(inOrder.size(), others.size()));
    }
    Map<String, Map<String, Integer>> links = new LinkedHashMap<>();
    other
        .nvlinks()
        .forEach(
            (from, to) -> {
              Map<String, Integer> renamed = new LinkedHashMap<>();
              to.forEach((gpu, count) -> renamed.put(inOrder.get(others.indexOf(gpu)), count));
              links.put(inOrder.get(others.indexOf(from)), renamed);
            });
    return links;
  }
}
