package dev.topo.simulator.evaluate;

import dev.topo.inspect.measured.FabricReader;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.model.Topology;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SpecException;
import dev.topo.model.nic.JobHosts;
import dev.topo.model.nic.SwitchMap;
import dev.topo.search.connect.Connection;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.CalibrationChoice;
import dev.topo.simulator.calibration.CalibrationChoice.SelectedCalibration;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.evaluate.JobRequest.CallContext;
import dev.topo.simulator.evaluate.JobSpec.TimeSpec;
import dev.topo.simulator.evaluate.JobSpec.TimeSpec.FabricSpec;
import dev.topo.simulator.network.ConcurrentGroups;
import dev.topo.simulator.network.Fabric;
import dev.topo.simulator.network.NetworkCalibration;
import dev.topo.simulator.network.NetworkFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the files that a {@link TimeSpec} names, and builds requests from it. Caches files; not
 * thread-safe.
 */
public final class TimeResolver {
  /** Most microseconds for a launch; no host takes longer. */
  private static final int MOST_LAUNCH_US = 10_000;

  private final TimeSpec spec;
  private final Inputs inputs;
  private final Consumer<SpecText> notes;
  private final Optional<FabricResolver> fabric;

  private final Set<String> others = new HashSet<>();
  private @Nullable Calibration named;
  private @Nullable OwnCalibration own;
  private @Nullable String text;

  /**
   * A resolver for one specification.
   *
   * @param inputs reads the files that it names
   * @param notes receives assumptions
   */
  public TimeResolver(TimeSpec spec, Inputs inputs, Consumer<SpecText> notes) {
    this.spec = spec;
    this.inputs = inputs;
    this.notes = notes;
    this.fabric = spec.fabric().map().map(file -> new FabricResolver(spec.fabric(), inputs));
  }

  /** This resolver without notes; it keeps what was read. */
  TimeResolver quietly() {
    TimeResolver quiet = new TimeResolver(spec, inputs, note -> {});
    quiet.text = text;
    return quiet;
  }

  /** The request for a communicator that runs alone. */
  public JobRequest request(NcclProfile profile, JobPart part) {
    return request(profile, part, Optional.empty(), Optional.empty(), Optional.empty());
  }

  /**
   * The request for a communicator that is measured, or runs beside others.
   *
   * @param concurrent the communicators whose calls run at the same time; empty if it runs alone
   * @param run measurements of it, which may contain the number of GPUs per process
   * @param actual the actual machine, if it differs from the declared one of the job
   * @throws SpecException if the specification does not fit the job
   */
  public JobRequest request(
      NcclProfile profile,
      JobPart part,
      Optional<ConcurrentGroups> concurrent,
      Optional<MeasuredRun> run,
      Optional<Machine> actual) {
    JobPart placed = concurrent.isPresent() ? JobPart.alone(part.whole()) : part;
    CallContext context = context(part.job(), run);
    SelectedCalibration calibration = calibration(JobRequest.actualTopology(part.job(), actual));
    own().ifPresent(measured -> noteOtherJob(measured, profile, part.job().settings()));
    spec.fabric().requireMap();
    Optional<Fabric> switches =
        fabric.map(resolver -> resolver.fabric(part.whole()).of(placed.places().get(0)));
    return new JobRequest(
        part.job(),
        profile,
        List.of(),
        Optional.of(calibration),
        network(),
        switches,
        actual,
        concurrent,
        context);
  }

  /**
   * The calibration for a machine.
   *
   * @throws SpecException if none has the name, and there is no such file
   */
  public SelectedCalibration calibration(Topology topology) {
    Optional<OwnCalibration> measured = own();
    if (measured.isPresent()) {
      return corrected(measured.get(), topology);
    }
    if (spec.constants() instanceof TimeSpec.Named choice) {
      return SelectedCalibration.requested(named(choice.file()), topology);
    }
    return spec.constants() instanceof TimeSpec.NcclModel
        ? SelectedCalibration.none()
        : SelectedCalibration.byMachine(topology);
  }

  private SelectedCalibration corrected(OwnCalibration measured, Topology topology) {
    String machine = CalibrationChoice.of(topology).machine();
    if (!measured.times().machine().equals(machine)) {
      throw new SpecException(
          SpecField.CALIBRATION,
          " %s: measured on %s, this machine is %s",
          measured.name(),
          measured.times().machine(),
          machine);
    }
    return SelectedCalibration.corrected(measured.node(), measured.name(), measured.times());
  }

  /** Says once that times are of another release or of other settings. */
  private void noteOtherJob(OwnCalibration measured, NcclProfile profile, NcclSettings settings) {
    String job = OwnCalibration.job(profile, settings);
    if (!measured.job().equals(job) && others.add(job)) {
      notes.accept(
          SpecText.of(
              "note: %s: times are of a job with NCCL %s, this one has %s: what differs between them"
                  + " is not in the times",
              measured.name(), measured.job(), job));
    }
  }

  /** The stated times of the user's own machine; empty if none are stated. */
  private Optional<OwnCalibration> own() {
    if (own == null
        && spec.constants() instanceof TimeSpec.Named choice
        && CalibrationFile.shipped(choice.file().name()).isEmpty()) {
      String text = text(choice.file());
      own = OwnCalibration.isOne(text) ? OwnCalibration.read(text, choice.file().name()) : null;
    }
    return Optional.ofNullable(own);
  }

  /**
   * The stated calibration of machines; empty if none is stated.
   *
   * @throws SpecException if none has the name, and there is no such file
   */
  public Optional<Calibration> stated() {
    Optional<OwnCalibration> measured = own();
    if (measured.isPresent()) {
      return measured.get().node();
    }
    return spec.constants() instanceof TimeSpec.Named choice
        ? Optional.of(named(choice.file()))
        : Optional.empty();
  }

  private Calibration named(TimeSpec.NamedFile file) {
    if (named == null) {
      named = CalibrationFile.shipped(file.name()).orElseGet(() -> read(file));
    }
    return named;
  }

  private Calibration read(TimeSpec.NamedFile calibration) {
    return CalibrationFile.read(text(calibration), calibration.name());
  }

  private String text(TimeSpec.NamedFile calibration) {
    if (text == null) {
      if (!Files.exists(calibration.file())) {
        throw new SpecException(
            SpecField.CALIBRATION,
            " %s: expected a file, none, or one of %s",
            calibration.name(),
            String.join(", ", CalibrationFile.SHIPPED));
      }
      text = inputs.text(calibration.file(), "a calibration");
    }
    return text;
  }

  /**
   * The stated calibration between nodes; empty for the one that matches the ports.
   *
   * @throws SpecException if none has the name, and there is no such file
   */
  public Optional<NetworkCalibration> network() {
    return spec.network().map(this::network).or(() -> own().flatMap(OwnCalibration::network));
  }

  private NetworkCalibration network(TimeSpec.NamedFile network) {
    try {
      return NetworkFile.named(network.name(), network.file(), inputs);
    } catch (IllegalArgumentException e) {
      throw new SpecException(SpecField.NETWORK, e, " %s", e.getMessage());
    }
  }

  private CallContext context(Job job, Optional<MeasuredRun> run) {
    TimeSpec.Processes processes = spec.processes();
    CallContext context =
        CallContext.USUAL
            .withGpusPerProcess(gpusPerProcess(job, run))
            .withBuffers(processes.buffers())
            .withGroups(processes.groups().count());
    return launchUs(processes).map(context::withLaunchUs).orElse(context);
  }

  /** The stated time of a launch. */
  private static Optional<Double> launchUs(TimeSpec.Processes processes) {
    processes
        .launchUs()
        .ifPresent(
            us -> {
              if (processes.cudaGraph()) {
                throw new SpecException(
                    SpecField.CUDA_GRAPH, ": %s has no effect with it", SpecField.LAUNCH_US);
              }
              if (!(us > 0) || us > MOST_LAUNCH_US) {
                throw new SpecException(
                    SpecField.LAUNCH_US,
                    " %s: expected microseconds above 0, up to %s",
                    us,
                    MOST_LAUNCH_US);
              }
            });
    return processes.launchUs();
  }

  /** GPUs per process, as stated or else from the run; 0 if a CUDA graph replays kernels. */
  private int gpusPerProcess(Job job, Optional<MeasuredRun> run) {
    int most = job.machines().stream().mapToInt(Machine::nRanks).max().orElseThrow();
    Optional<Integer> stated = spec.processes().gpusPerProcess();
    if (spec.processes().cudaGraph() && stated.isPresent()) {
      throw new SpecException(
          SpecField.CUDA_GRAPH, ": %s has no effect with it", SpecField.RANKS_PER_PROCESS);
    }
    if (spec.processes().cudaGraph()) {
      return 0;
    }
    if (stated.isEmpty()) {
      return run.map(measured -> measured(measured, most))
          .orElse(JobRequest.DEFAULT_GPUS_PER_PROCESS);
    }
    int count = stated.get();
    if (count < 1 || count > most) {
      throw new SpecException(SpecField.RANKS_PER_PROCESS, " %d: expected 1 to %d", count, most);
    }
    return count;
  }

  private int measured(MeasuredRun run, int most) {
    if (run.gpusPerProcess().isEmpty() && most > 1) {
      notes.accept(
          SpecText.of(
              "note: %s does not contain the number of GPUs per process: all %s are assumed (%s)",
              run.file(), most, SpecField.RANKS_PER_PROCESS));
    }
    return Math.min(most, run.gpusPerProcess().orElse(most));
  }

  /**
   * Reads the switch map that a {@link FabricSpec} names, once, and assigns the nodes of jobs to
   * its hosts. Not thread-safe.
   */
  public static final class FabricResolver {
    private final FabricSpec spec;
    private final Inputs inputs;

    private @Nullable SwitchMap switches;

    /**
     * A resolver for a specification that has a map.
     *
     * @param inputs reads the files that it names
     */
    public FabricResolver(FabricSpec spec, Inputs inputs) {
      this.spec = spec;
      this.inputs = inputs;
    }

    /** The map of switches. */
    public SwitchMap switches() {
      if (switches == null) {
        SwitchMap stated = FabricReader.read(map(), inputs);
        switches = spec.uplinks().map(stated::withUplinks).orElse(stated);
      }
      return switches;
    }

    private Path map() {
      return spec.map().orElseThrow();
    }

    /**
     * The host of each node of a job.
     *
     * @throws SpecException if its machines are not its nodes, or hosts are missing in the map
     */
    public List<String> hosts(Connection connection, Job job) {
      requireNodes(connection.nNodes(), job.machines().size());
      return hosts(job);
    }

    /**
     * Checks that a job has one node for each host.
     *
     * @throws SpecException if they are not
     */
    static void requireNodes(int nNodes, int nHosts) {
      if (nNodes != nHosts) {
        throw new SpecException(
            SpecField.FABRIC, ": the machines split into %d nodes, expected %d", nNodes, nHosts);
      }
    }

    /** The switches between the machines of a job. */
    public Fabric fabric(Job job) {
      return new Fabric(switches(), hosts(job), spec.adaptive());
    }

    /** All hosts of a list, each a node of the map. */
    public List<String> all(FabricSpec.HostNames hosts) {
      return names(hosts).in(switches(), map().toString());
    }

    private List<String> hosts(Job job) {
      SwitchMap map = switches();
      return spec.hosts()
          .map(this::names)
          .orElseGet(() -> JobHosts.of(map))
          .of(job, map, map().toString());
    }

    private JobHosts names(FabricSpec.HostNames hosts) {
      return hosts instanceof FabricSpec.HostsInFile in
          ? JobHosts.ofFile(in.file(), inputs)
          : JobHosts.ofList(((FabricSpec.ListedHosts) hosts).list());
    }
  }
}
