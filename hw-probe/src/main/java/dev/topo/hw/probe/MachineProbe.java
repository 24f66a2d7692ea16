package dev.topo.hw.probe;

import dev.topo.hw.nvml.JavacppNvmlScope;
import dev.topo.hw.nvml.NvmlDevice;
import dev.topo.hw.nvml.NvmlScope;
import dev.topo.hw.nvml.NvmlSnapshot;
import dev.topo.hw.nvml.NvmlSnapshot.Peer;
import dev.topo.hw.nvml.NvmlText;
import dev.topo.hw.nvml.Observation;
import dev.topo.hw.sysfs.AccessLog;
import dev.topo.hw.sysfs.InterfaceAddresses;
import dev.topo.hw.sysfs.MachineFacts;
import dev.topo.hw.sysfs.SysfsRoot;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Detects a machine, this one or a captured one, and builds the topology that NCCL would build
 * there for one process with all visible GPUs. The result equals NCCL's dump in {@code
 * NCCL_TOPO_DUMP_FILE}, element by element.
 */
public record MachineProbe(SysfsRoot sysfs, NvmlScope nvml, InterfaceAddresses addresses) {
  /** File of a capture with the data of NVIDIA's driver; see {@link NvmlText}. */
  public static final String NVML_FILE = "nvml.txt";

  /** File of a capture with the address families; see {@link InterfaceAddresses}. */
  public static final String INTERFACES_FILE = "interfaces.txt";

  /**
   * Maximum number of GPUs of a host: the maximum number of elements in NCCL's topology ({@code
   * NCCL_TOPO_XML_MAX_NODES}).
   */
  private static final int MAX_GPUS = 256;

  /**
   * Probe of this machine.
   *
   * @param inputs records the files it reads
   */
  public static MachineProbe ofThisMachine(Inputs inputs) {
    return new MachineProbe(
        SysfsRoot.ofThisMachine(inputs),
        new JavacppNvmlScope(),
        InterfaceAddresses.ofThisMachine());
  }

  /**
   * Probe of a captured machine: a folder with {@code sys}, {@code proc}, {@code dev} and, if
   * present, {@value #NVML_FILE} and {@value #INTERFACES_FILE}.
   *
   * @param inputs records the files it reads
   * @throws IllegalArgumentException if {@value #NVML_FILE} is malformed, with the line
   */
  static MachineProbe ofCapture(Path folder, Inputs inputs) {
    SysfsRoot root = new SysfsRoot(folder, inputs);
    return new MachineProbe(
        root,
        root.read("/" + NVML_FILE)
            .map(text -> NvmlScope.recorded(NvmlText.parse(text)))
            .orElseGet(() -> NvmlScope.absent("the capture has no " + NVML_FILE)),
        root.read("/" + INTERFACES_FILE)
            .map(InterfaceAddresses::parse)
            .orElse(InterfaceAddresses.UNKNOWN));
  }

  MachineProbe withLog(AccessLog log) {
    return new MachineProbe(sysfs.withLog(log), nvml, addresses);
  }

  /** Detects the machine, independent of settings. */
  MachineObservation observe() {
    Observation<NvmlSnapshot> snapshot = nvml.observe();
    List<String> busIds =
        snapshot.value().stream()
            .flatMap(found -> found.devices().stream())
            .flatMap(MachineProbe::busIds)
            .distinct()
            .toList();
    MachineFacts facts = MachineFacts.read(sysfs, addresses, busIds);
    return new MachineObservation(snapshot, addresses, facts);
  }

  private static Stream<String> busIds(NvmlDevice device) {
    return Stream.concat(
        Stream.of(BusIds.normal(device.busId())),
        device.nvlinks().stream().map(NvmlDevice.Nvlink::remote).flatMap(Optional::stream));
  }

  /**
   * Detects the machine and builds the topology with some options.
   *
   * @throws TopologyFormatException if the topology file of a virtual machine's operator is not XML
   */
  public ProbeResult run(ProbeOptions options) {
    return assemble(observe(), options);
  }

  /**
   * Builds the topology of a detected machine.
   *
   * @throws TopologyFormatException as {@link #run}, or if there are more than {@value #MAX_GPUS}
   *     GPUs
   */
  static ProbeResult assemble(MachineObservation observation, ProbeOptions options) {
    Diagnostics diagnostics = new Diagnostics();
    MachineFacts facts = observation.facts();
    Optional<NvmlSnapshot> snapshot = observation.nvml().value();
    List<NvmlDevice> devices =
        snapshot.isPresent()
            ? snapshot.get().devices()
            : new DriverlessGpus(facts, diagnostics).find(observation.nvml().reason());
    if (devices.size() > MAX_GPUS) {
      throw new TopologyFormatException(
          "/sys/bus/pci/devices", devices.size() + " GPUs, expected at most " + MAX_GPUS);
    }
    new ProbeDiagnostics(observation, options, diagnostics).add();
    XmlElement system =
        new SystemAssembler(facts, base(facts, options), options, diagnostics)
            .assemble(devices, snapshot.map(NvmlSnapshot::cudaVersion).orElse(Integer.MAX_VALUE));
    List<Peer> peers = snapshot.map(NvmlSnapshot::peers).orElse(List.of());
    PeerFiller filler =
        new PeerFiller(
            (from, to) ->
                peers.stream()
                    .filter(peer -> peer.from() == from && peer.to() == to)
                    .allMatch(peer -> peer.read() && peer.write()));
    return new ProbeResult(
        peers.isEmpty() ? system : filler.fill(system), diagnostics.list(), observation);
  }

  private static Optional<XmlElement> base(MachineFacts facts, ProbeOptions options) {
    if (options.topologyFile().isPresent()) {
      return options.topologyFile();
    }
    return facts
        .virtualTopology()
        .map(
            text ->
                new XmlReader()
                    .read(text.getBytes(StandardCharsets.ISO_8859_1), "virtualTopology.xml")
                    .root());
  }
}
