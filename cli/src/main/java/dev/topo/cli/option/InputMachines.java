package dev.topo.cli.option;

import dev.topo.cli.option.InputOptions.AssumptionOptions;
import dev.topo.cli.option.InputOptions.DiagnosticOptions;
import dev.topo.cli.terminal.Streams;
import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.SettingException;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.topology.JobMachines.HostFiles;
import dev.topo.search.topology.TopologySource;
import dev.topo.search.topology.TopologySource.UnknownElements;
import dev.topo.simulator.evaluate.DeclaredGpuCheck;
import dev.topo.simulator.evaluate.JobPart;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The machines of the topology files of a command, read as its options say; reports on stderr what
 * is to be said about a file. Each file is read once.
 */
public final class InputMachines implements HostFiles {
  private final TopologySource source;
  private final GpuSelection selection;
  private final AssumptionOptions assumptionOptions;
  private final DiagnosticOptions diagnosticOptions;
  private final Inputs inputs;
  private final Streams streams;
  private final Set<String> noted = new HashSet<>();

  InputMachines(
      GpuSelection selection,
      UnknownElements unknown,
      AssumptionOptions assumptionOptions,
      DiagnosticOptions diagnosticOptions,
      Inputs inputs,
      Streams streams) {
    this.source = new TopologySource(inputs, unknown, assumptionOptions::complete);
    this.selection = selection;
    this.assumptionOptions = assumptionOptions;
    this.diagnosticOptions = diagnosticOptions;
    this.inputs = inputs;
    this.streams = streams;
  }

  /** Reader of the files. */
  Inputs inputs() {
    return inputs;
  }

  /** The GPUs that take part. */
  public GpuSelection selection() {
    return selection;
  }

  /** The contents of a file. */
  public XmlDocument document(Path file) {
    return source.document(file);
  }

  /** The contents of a machine that is a host, or several equal ones in an NVLink domain. */
  public XmlDocument document(Path file, int hosts) {
    return source.document(file, hosts);
  }

  /** The bytes of a file, which may be a pipe that can be read only once. */
  public byte[] bytes(Path file) {
    return source.bytes(file);
  }

  /** Assumptions about a file; empty if there are none. */
  public String assumed(Path file) {
    return assumptionOptions.assumed(file);
  }

  /** Collects the caveats of an answer about the machines of the files. */
  public CaveatCollector caveats(Supplier<ReleaseRules> rules) {
    return new CaveatCollector(
        file -> document(file).root(),
        assumptionOptions::statesNoNvlink,
        rules,
        inputs,
        this::noteOnce);
  }

  /** Settings are the same for all answers of a command. */
  private void noteOnce(String note) {
    if (noted.add(note)) {
      streams.message(note);
    }
  }

  /** The topology of a file with the selected GPUs. */
  public Topology topology(Path file, NcclProfile profile) {
    return topology(file, selection, profile);
  }

  /** The topology of a file with some GPUs; prints diagnostics about the file once on stderr. */
  @Override
  public Topology topology(Path file, GpuSelection gpus, NcclProfile profile) {
    return read(
        document(file).root(), diagnostics -> source.topology(file, gpus, profile, diagnostics));
  }

  /** The machine with those GPUs that took part in a run; notes that others did not. */
  public Topology topology(Path file, Optional<GpuSelection> gpus, NcclProfile profile) {
    if (gpus.isEmpty()) {
      return topology(file, profile);
    }
    Topology some = topology(file, gpus.get(), profile);
    streams.message(
        "note: of %s the first %s GPUs count, as many as took part"
            .formatted(file, some.gpus().size()));
    return some;
  }

  /** The topology of a document, which need not be in a file, with the selected GPUs. */
  public Topology topology(XmlDocument document, NcclProfile profile) {
    return read(
        document.root(), diagnostics -> source.topology(document, selection, profile, diagnostics));
  }

  @Override
  public Topology topology(XmlElement system, GpuSelection gpus, NcclProfile profile) {
    return read(system, diagnostics -> source.topology(system, gpus, profile, diagnostics));
  }

  @Override
  public XmlElement system(Path file) {
    XmlElement system = document(file).root();
    DeviceCheck.requireGpu(system);
    return system;
  }

  /** The topology of an edited tree with the selected GPUs; without diagnostics. */
  public Topology edited(XmlElement system, NcclProfile profile) {
    return edited(system, selection, profile);
  }

  /** The machine of an edited document, of which some GPUs count. */
  public Topology edited(XmlElement system, GpuSelection gpus, NcclProfile profile) {
    return source.topology(system, gpus, profile, new Diagnostics());
  }

  /**
   * The machine of {@code --actual}, where the job's file is what NCCL_TOPO_FILE declares.
   *
   * @param part the job, with the declared machine
   * @throws SettingException if the job has several machines
   */
  public Machine actual(Path actual, JobPart part, NcclProfile profile) {
    if (part.job().machines().size() > 1) {
      throw new SettingException("--actual is for one node: there is no calibration between nodes");
    }
    return DeclaredGpuCheck.actual(
        part.job().first(),
        part.files().get(0).toString(),
        actual,
        path -> topology(path, profile));
  }

  /**
   * The job with its file as NCCL uses it on the actual machine.
   *
   * @param actual empty if the file is the machine
   * @param caveats takes the notes on devices that NCCL adds and removes
   */
  public static JobPart declared(
      JobPart part, Optional<Machine> actual, NcclProfile profile, CaveatCollector caveats) {
    return actual
        .map(
            there ->
                part.with(
                    part.job()
                        .map(
                            file ->
                                new Machine(
                                    caveats
                                        .declared(
                                            file.topology(), there.topology(), 1, file.settings())
                                        .topology(profile),
                                    file.settings()))))
        .orElse(part);
  }

  private Topology read(XmlElement system, Function<Diagnostics, Topology> reader) {
    DeviceCheck.requireGpu(system);
    assumptionOptions.report(streams);
    Diagnostics diagnostics = new Diagnostics();
    Topology topology = reader.apply(diagnostics);
    diagnostics.list().forEach(diagnostic -> diagnosticOptions.show(diagnostic, streams));
    return topology;
  }

  /** Checks the devices of a topology file before it is read, for an error that names an option. */
  static final class DeviceCheck {
    private DeviceCheck() {}

    /**
     * Checks that a machine has GPUs, unless it is no machine at all.
     *
     * @throws TopologyFormatException if it has the PCI tree only; it names the option that
     *     completes it
     */
    static void requireGpu(XmlElement system) {
      if (system.name().equals("system") && has(system, "pci") && !has(system, "gpu")) {
        throw new TopologyFormatException(
            system.location(),
            "<system>: has no gpu, expected at least one <gpu> inside a <pci>,"
                + " or --assume gpu=MODEL if the file contains only the PCI tree");
      }
    }

    private static boolean has(XmlElement element, String name) {
      return element.elements().stream()
          .anyMatch(child -> child.name().equals(name) || has(child, name));
    }
  }
}
