package dev.topo.simulator.variant;

import dev.topo.model.Topology;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.SpecException;
import dev.topo.model.operation.Call;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.JobMachines.HostFiles;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobSpec;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.variant.DiffResult.DiffSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The job in which differences between machines are evaluated. */
public final class DiffJob {
  /** Default sizes at which the text shows busbw. */
  private static final List<Long> SHOWN = List.of(1L << 20, 64L << 20, 1L << 30);

  /** Placeholder for an edited file. */
  private static final Path EDITED = Path.of("");

  private final JobSpec spec;
  private final JobSources sources;
  private final TreeReader edited;
  private final List<Call> calls;
  private final Optional<Integer> nodes;
  private final List<Long> shownBytes;

  /**
   * A job.
   *
   * @param spec the job as stated, without its hosts
   * @param edited reads edited files
   * @param nodes number of nodes; empty for 2 if the first machine has network ports, else 1
   * @param shownBytes sizes at which the text shows busbw; empty for the default
   */
  public DiffJob(
      JobSpec spec,
      JobSources sources,
      TreeReader edited,
      List<Call> calls,
      Optional<Integer> nodes,
      List<Long> shownBytes) {
    this.spec = spec;
    this.sources = sources;
    this.edited = edited;
    this.calls = List.copyOf(calls);
    this.nodes = nodes;
    this.shownBytes = shownBytes.isEmpty() ? SHOWN : List.copyOf(shownBytes);
  }

  /** The machine of a file, under the settings of the job. */
  Machine machine(Path file) {
    return new Machine(
        sources.files().topology(file, spec.gpus(), spec.rules().profile()), spec.settings());
  }

  XmlElement tree(Path file) {
    return sources.files().system(file);
  }

  /** The number of nodes, as stated, else 2 if their machine has network ports. */
  private int count(Machine machine) {
    return nodes.orElse(machine.topology().nets().isEmpty() ? 1 : 2);
  }

  /** The communicators of the job on equal nodes, equal ones once. */
  public List<JobPart> parts(Path file) {
    return parts(Collections.nCopies(count(machine(file)), file));
  }

  private List<JobPart> parts(List<Path> hosts) {
    return parts(sources, hosts);
  }

  private List<JobPart> parts(JobSources from, List<Path> hosts) {
    return from.resolve(spec.withLayout(spec.layout().withHosts(hosts))).parts();
  }

  /** The request for a communicator. */
  public JobRequest request(JobPart part) {
    return sources.times().request(spec.rules().profile(), part).withCalls(calls);
  }

  /** Reads the topology of some GPUs of an edited file. */
  @FunctionalInterface
  public interface TreeReader {
    /** The topology of a {@code <system>} element by the rules of a release. */
    Topology topology(XmlElement system, GpuSelection gpus, NcclProfile profile);
  }

  /** The edited file of all hosts. */
  private record EditedFile(TreeReader reader, XmlElement tree) implements HostFiles {
    @Override
    public XmlElement system(Path file) {
      return tree;
    }

    @Override
    public Topology topology(Path file, GpuSelection gpus, NcclProfile profile) {
      return topology(tree, gpus, profile);
    }

    @Override
    public Topology topology(XmlElement system, GpuSelection gpus, NcclProfile profile) {
      return reader.topology(system, gpus, profile);
    }
  }

  /** Observes the progress of a comparison. */
  @FunctionalInterface
  public interface DiffMonitor {
    /**
     * Begins a task of equal steps.
     *
     * @param step name of a step, as in "odd node"
     * @param total number of steps
     */
    Task begin(String step, int total);

    /** A running task. */
    interface Task extends AutoCloseable {
      /** Begins the next step. */
      void next();

      @Override
      void close();
    }
  }

  /** A job of equal machines, in which other machines are evaluated. */
  final class Trial {
    private final Path reference;
    private final int count;
    private final SplitChanges changes;

    /**
     * A job of equal machines.
     *
     * @param machine the machine
     */
    Trial(Path reference, Machine machine) {
      this.reference = reference;
      this.count = count(machine);
      this.changes = new SplitChanges(kinds(parts(Collections.nCopies(count, reference))));
    }

    private List<Communicators<JobAnswer>> kinds(List<JobPart> parts) {
      return parts.stream()
          .map(
              part ->
                  new Communicators<>(
                      part.colors(), JobAnswer.of(sources.evaluator(), request(part))))
          .toList();
    }

    /** Evaluates the job with another file for all machines. */
    void tryAll(Path other) {
      changes.add(kinds(parts(Collections.nCopies(count, other))));
    }

    /** Evaluates the job with an edited file, which may be unusable, for all machines. */
    void tryAll(XmlElement tree) {
      List<JobPart> parts;
      try {
        parts =
            parts(sources.with(new EditedFile(edited, tree)), Collections.nCopies(count, EDITED));
      } catch (TopologyFormatException | SpecException e) {
        changes.addFailure("not possible by itself: " + e.getMessage());
        return;
      }
      changes.add(kinds(parts));
    }

    /** Evaluates the job with another file for the last machine. */
    void tryOne(Path other) {
      List<Path> hosts = new ArrayList<>(Collections.nCopies(count - 1, reference));
      hosts.add(other);
      changes.add(kinds(parts(hosts)));
    }

    /** Changes for the communicators of the job, in the order of evaluation. */
    List<SplitChanges.Changed> changed() {
      return changes.byCommunicator();
    }

    /**
     * The description of the job in the output.
     *
     * @param of the communicator with its changes
     * @param machines whose calibrations are used
     */
    DiffSettings describe(SplitChanges.Changed of, List<Machine> machines) {
      List<String> calibrations =
          machines.stream()
              .map(machine -> sources.times().calibration(machine.topology()))
              .flatMap(selected -> selected.calibration().stream())
              .map(Calibration::name)
              .distinct()
              .toList();
      Set<Source> sources = new HashSet<>();
      of.before().predictions().values().forEach(prediction -> sources.add(prediction.source()));
      of.changes()
          .forEach(change -> change.busbw().forEach(busbw -> sources.addAll(busbw.sources())));
      return new DiffSettings(
          of.label(),
          count,
          of.before().nRanks(),
          of.before().failure(),
          calibrations,
          sources,
          shownBytes);
    }
  }
}
