package dev.topo.cli.option;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.InputOptions.AssumptionOptions;
import dev.topo.cli.option.InputOptions.DiagnosticOptions;
import dev.topo.cli.terminal.CommandContext;
import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
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
 * The machines of the topology files of a command, read as its options say. Reports diagnostics
 * about the files on stderr. Each file is read once.
 */
public final class InputMachines implements HostFiles {
  private final TopologySource source;
  private final GpuSelection selection;
  private final AssumptionOptions assumptionOptions;
  private final DiagnosticOptions diagnosticOptions;
  private final CommandContext context;
  private final Set<String> noted = new HashSet<>();

  InputMachines(
      GpuSelection selection,
      UnknownElements unknown,
      AssumptionOptions assumptionOptions,
      DiagnosticOptions diagnosticOptions,
      CommandContext context) {
    this.source =
        new TopologySource(
            context.inputs(), unknown, assumptionOptions::complete, context.topologies());
    this.selection = selection;
    this.assumptionOptions = assumptionOptions;
    this.diagnosticOptions = diagnosticOptions;
    this.context = context;
  }

  /** What reads the files and prints messages about them. */
  CommandContext context() {
    return context;
  }

  /** The selected GPUs. */
  public GpuSelection selection() {
    return selection;
  }

  /** The XML document of a file. */
  public XmlDocument document(Path file) {
    return source.document(file);
  }

  /** The XML document of a machine: one host, or an NVLink domain of several equal hosts. */
  public XmlDocument document(Path file, int hosts) {
    return source.document(file, hosts);
  }

  /**
   * The bytes of a file. They are kept, since the file may be a pipe that can be read only once.
   */
  public byte[] bytes(Path file) {
    return source.bytes(file);
  }

  /** The devices that were assumed for a file, as text; empty if there are none. */
  public String assumed(Path file) {
    return assumptionOptions.assumed(file);
  }

  /** Creates a collector for the caveats of an answer about the machines of the files. */
  public CaveatCollector caveats(Supplier<ReleaseRules> rules) {
    return new CaveatCollector(
        file -> document(file).root(),
        assumptionOptions::statesNoNvlink,
        rules,
        context.inputs(),
        this::noteOnce);
  }

  /** Prints a note once per command: settings, for example, are the same for all its answers. */
  private void noteOnce(String note) {
    if (noted.add(note)) {
      context.streams().message(note);
    }
  }

  /** Reads the topology of a file, with the selected GPUs. */
  public Topology topology(Path file, NcclProfile profile) {
    return topology(file, selection, profile);
  }

  /**
   * Reads the topology of a file, with some of its GPUs. Prints each diagnostic about the file once
   * on stderr.
   */
  @Override
  public Topology topology(Path file, GpuSelection gpus, NcclProfile profile) {
    return read(
        document(file).root(), diagnostics -> source.topology(file, gpus, profile, diagnostics));
  }

  /**
   * Reads the topology of a file, with the GPUs that took part in a run; notes on stderr that the
   * others do not count.
   *
   * @param gpus the GPUs that took part; empty for the selected ones
   */
  public Topology topology(Path file, Optional<GpuSelection> gpus, NcclProfile profile) {
    if (gpus.isEmpty()) {
      return topology(file, profile);
    }
    Topology some = topology(file, gpus.get(), profile);
    context
        .streams()
        .message(
            "note: of %s the first %s GPUs count, as many as took part"
                .formatted(file, some.gpus().size()));
    return some;
  }

  /** Reads the topology of a document, which need not come from a file, with the selected GPUs. */
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

  /** Reads the topology of an edited XML tree, with the selected GPUs; reports no diagnostics. */
  public Topology edited(XmlElement system, NcclProfile profile) {
    return edited(system, selection, profile);
  }

  /** Reads the topology of an edited XML tree, with some of its GPUs; reports no diagnostics. */
  public Topology edited(XmlElement system, GpuSelection gpus, NcclProfile profile) {
    return source.topology(system, gpus, profile, new Diagnostics());
  }

  /**
   * Reads the machine of {@code --actual}. The job's own file is then what NCCL_TOPO_FILE declares.
   *
   * @param part the job, with the declared machine
   * @throws SettingException if the job has several machines
   */
  public Machine actual(Path actual, JobPart part, NcclProfile profile) {
    refuseIf(
        part.job().machines().size() > 1,
        "--actual is for one node: there is no calibration between nodes");
    return DeclaredGpuCheck.actual(
        part.job().first(),
        part.files().get(0).toString(),
        actual,
        path -> topology(path, profile));
  }

  /**
   * The job with its declared topology as NCCL uses it on the actual machine, where it adds and
   * removes devices.
   *
   * @param actual the actual machine; empty if it is the declared one
   * @param caveats receives notes on the devices that NCCL adds and removes
   */
  public static JobPart declared(
      JobPart part, Optional<Machine> actual, NcclProfile profile, CaveatCollector caveats) {
    return actual
        .map(
            actualMachine ->
                part.with(
                    part.job()
                        .map(
                            file ->
                                new Machine(
                                    caveats
                                        .declared(
                                            file.topology(),
                                            actualMachine.topology(),
                                            1,
                                            file.settings())
                                        .topology(profile),
                                    file.settings()))))
        .orElse(part);
  }

  private Topology read(XmlElement system, Function<Diagnostics, Topology> reader) {
    DeviceCheck.requireGpu(system);
    assumptionOptions.report(context.streams());
    Diagnostics diagnostics = new Diagnostics();
    Topology topology = reader.apply(diagnostics);
    diagnostics.list().forEach(diagnostic -> diagnosticOptions.show(diagnostic, context.streams()));
    return topology;
  }

  /**
   * Checks that a topology file has GPUs before it is read, so that the error can name an option.
   */
  static final class DeviceCheck {
    private DeviceCheck() {}

    /**
     * Requires a GPU in a document that describes a machine.
     *
     * @throws TopologyFormatException if it contains only the PCI tree; the message names the
     *     option that completes it
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
