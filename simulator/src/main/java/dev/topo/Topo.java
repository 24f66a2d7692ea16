package dev.topo;

import static java.util.Objects.requireNonNull;

import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.edit.EditApplier;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.inspect.edit.VariantReader;
import dev.topo.inspect.lint.FileKind;
import dev.topo.inspect.lint.LintFinding;
import dev.topo.inspect.lint.Linter;
import dev.topo.inspect.lint.SourceText;
import dev.topo.model.Link;
import dev.topo.model.Node;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Job;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.SpecException;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.operation.Call;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.JobGraphs.DomainGraphs;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.explain.Explanation;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.rules.ReleaseRules.NcclRelease;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.EnablingRules;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobSpec;
import dev.topo.simulator.evaluate.JobSpec.TimeSpec;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.RankLayout;
import dev.topo.simulator.evaluate.TimeResolver;
import dev.topo.simulator.memory.MemoryAnswer;
import dev.topo.simulator.variant.JobChange;
import dev.topo.simulator.verdict.FindingCost;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jgrapht.Graph;

/**
 * A job on equal machines, and what NCCL does with it: {@code
 * Topo.open(Path.of("system.xml")).nodes(4).predict(Call.of("all_reduce", "1G"))}.
 *
 * <p>Immutable and thread-safe: each method that changes something returns another job. Jobs
 * derived from each other share a cache of graphs, so that equal machines are searched once. Times
 * are those of {@code topo predict}: the machine determines the calibration inside nodes, its ports
 * that between nodes, and each GPU has a process of its own.
 *
 * <p>A topology is parsed on first use: {@link #lint} accepts a text that cannot be parsed, all
 * other questions about it fail with {@link TopologyFormatException}. If NCCL would not start, or
 * its rules are not known, a question fails with {@link UnusableTopologyException}.
 */
public final class Topo {
  /** Largest number of hosts of an NVLink domain; more than any hardware supports. */
  private static final int MAX_HOSTS = 1000;

  private final MachineDocument machine;

  /** The job as stated; its only file is the machine. Has a split if this is one group of it. */
  private final JobSpec spec;

  /** Colour of the communicator of the split; empty for all ranks. */
  private final Optional<Integer> group;

  private final JobEvaluator evaluator;
  private final Inputs inputs;
  private final EvaluatedJob answers;

  /** Fails if NCCL would not start with the settings. */
  private Topo(
      MachineDocument machine,
      JobSpec spec,
      Optional<Integer> group,
      JobEvaluator evaluator,
      Inputs inputs) {
    EnablingRules.check(spec.rules().profile(), spec.settings());
    this.machine = machine;
    this.spec = spec;
    this.group = group;
    this.evaluator = evaluator;
    this.inputs = inputs;
    this.answers = new EvaluatedJob(machine, spec, group, evaluator, inputs);
  }

  private Topo with(MachineDocument other, JobSpec changed) {
    return new Topo(other, changed, group, evaluator, inputs);
  }

  private Topo with(JobSpec changed) {
    return with(machine, changed);
  }

  private static Topo of(String name, byte[] content, Inputs inputs) {
    MachineDocument machine = MachineDocument.of(name, content);
    return new Topo(
        machine,
        JobSpec.of(machine.file(), 1),
        Optional.empty(),
        new JobEvaluator(GraphSearch::findAll, inputs).remembering(),
        inputs);
  }

  /**
   * A job on one node, with the machine of a file, which may be compressed with gzip.
   *
   * @throws TopologyFormatException if the file does not exist or is too large
   */
  public static Topo open(Path file) {
    Inputs inputs = new Inputs();
    return of(requireNonNull(file, "file").toString(), new XmlReader().bytes(file, inputs), inputs);
  }

  /** A job on one node, with the machine of a text in NCCL's XML. */
  public static Topo parse(String xml) {
    return of("text", requireNonNull(xml, "xml").getBytes(StandardCharsets.UTF_8), new Inputs());
  }

  /**
   * A job on one node, with the machine of a stream, which may be compressed with gzip. The stream
   * is not closed.
   *
   * @param name name of the machine in error messages
   * @throws TopologyFormatException if the stream cannot be read or is too large
   */
  public static Topo read(InputStream in, String name) {
    requireNonNull(name, "name");
    return of(name, new XmlReader().bytes(requireNonNull(in, "in"), name), new Inputs());
  }

  /**
   * The job on a number of equal nodes.
   *
   * @throws SettingException if the number is not from 1 to 1000000, or if this job is a
   *     communicator of a split
   */
  public Topo nodes(int count) {
    require(
        count >= 1 && count <= Job.MOST_MACHINES,
        () -> "nodes %s: expected 1 to %s".formatted(count, Job.MOST_MACHINES));
    require(
        group.isEmpty(),
        () ->
            "nodes %s: this is a group of a split, expected nodes before groups".formatted(count));
    return with(spec.withLayout(RankLayout.ofEqual(machine.file(), count)));
  }

  /**
   * The job with an NVLink domain (MNNVL) of several hosts, each like this machine, as its node: 18
   * for a rack of 18 trays. {@link #nodes} then counts domains.
   *
   * @throws SettingException if the number is not from 1 to 1000
   */
  public Topo nvlinkDomain(int hosts) {
    require(
        hosts >= 1 && hosts <= MAX_HOSTS,
        () -> "NVLink domain of %s hosts: expected 1 to %s".formatted(hosts, MAX_HOSTS));
    return hosts == 1 ? this : with(machine.joined(hosts), spec);
  }

  /**
   * The job under the rules of a release of NCCL, such as {@code 2.27.7}.
   *
   * @throws SettingException if the text is not a release, or the release is older than all with
   *     rules
   */
  public Topo release(String version) {
    NcclRelease release =
        NcclRelease.find(requireNonNull(version, "version"))
            .orElseThrow(
                () ->
                    new SettingException(
                        "release '%s': expected a version such as 2.27.7".formatted(version)));
    require(
        release.compareTo(ReleaseRules.oldest()) >= 0,
        () -> "release %s: expected %s or newer".formatted(release, ReleaseRules.oldest()));
    return with(spec.withRules(ReleaseRules.of(release)));
  }

  /**
   * The job with an NCCL setting for all processes: {@code set("NCCL_ALGO", "Ring")}.
   *
   * @throws SettingException if NCCL has no such setting, or would not start with the value
   */
  public Topo set(String name, String value) {
    requireNonNull(name, "name");
    requireNonNull(value, "value");
    return with(spec.withSettings(spec.settings().with(NcclSettings.of(Map.of(name, value)))));
  }

  /**
   * The job with a calibration of the network between nodes: rdma, slingshot, efa, sockets, or the
   * name of a file.
   *
   * @throws SettingException if the name is none of these, and there is no such file
   * @throws TopologyFormatException if the file is not a calibration
   */
  public Topo network(String name) {
    requireNonNull(name, "name");
    TimeSpec times = spec.times().withNetwork(new TimeSpec.NamedFile(name, Path.of(name)));
    new TimeResolver(times, inputs, note -> {}).network(); // fails if it does not exist
    return with(spec.withTimes(times));
  }

  /**
   * The communicators of a split of the ranks, in the order of their colours; equal ones are the
   * same object.
   *
   * @param rule an operation and a number as in NCCL_TESTS_SPLIT, such as {@code DIV 8}, or lists
   *     of ranks, such as {@code 0-7;8-15}
   * @throws SettingException if the text is not a rule, or names a rank that the job does not have
   */
  public List<Topo> groups(String rule) {
    requireNonNull(rule, "rule");
    require(group.isEmpty(), () -> "groups " + rule + ": this is a group of a split already");
    JobSpec split = spec.withLayout(spec.layout().withSplit(rule));
    SortedMap<Integer, Topo> groups = new TreeMap<>();
    try {
      for (JobPart kind : EvaluatedJob.resolved(machine, split, inputs).parts()) {
        Topo job = new Topo(machine, split, Optional.of(kind.colors().get(0)), evaluator, inputs);
        kind.colors().forEach(color -> groups.put(color, job));
      }
    } catch (SpecException e) {
      throw new SettingException("groups " + rule + e.problem(), e);
    }
    return List.copyOf(groups.values());
  }

  /**
   * The job after edits, written as for {@code topo whatif}: {@code remove net:mlx5_3}, {@code
   * net:*.speed=200000}, {@code env NCCL_ALGO=Ring}, {@code nccl 2.27.5}, {@code machine
   * other.xml}. Semicolons or line breaks separate several edits.
   *
   * @throws SettingException if there is no edit, or an edit sets an unknown setting
   * @throws TopologyFormatException if an edit cannot be parsed, or does not fit the machine
   */
  public Topo edit(String edits) {
    requireNonNull(edits, "edits");
    EditApplier applier =
        new EditApplier(
            file -> new XmlReader().readUnpacked(file, inputs),
            after -> machine.topology(after.root(), spec.gpus(), spec.rules().profile()));
    EditedMachine after =
        applier.apply(
            EditedMachine.of(machine.document(), spec.settings()),
            VariantReader.edits(List.of(edits), "edit "));
    return with(
        machine.changed(after.machine()),
        spec.withRules(after.nccl().orElse(spec.rules())).withSettings(after.settings()));
  }

  /** Compares this job with the same job after edits. Fails as {@link #edit} does. */
  public Comparison compare(String edits) {
    return new Comparison(this, edit(edits));
  }

  /** The machines of the job in rank order, for direct use of {@link JobEvaluator}. */
  public Job job() {
    return answers.job();
  }

  /** The graphs of each distinct machine, for each group of GPUs that only the network joins. */
  public List<DomainGraphs> search() {
    return answers.search();
  }

  /** The nodes of the job and the position of each rank in each channel. */
  public Connection connect() {
    return answers.result().connection();
  }

  /**
   * NCCL's choice for a call.
   *
   * @throws SettingException if NCCL refuses the call or sends nothing for it, or if topo has no
   *     rules of the release for sends and receives
   */
  public CallChoice tune(Call call) {
    return answers.tune(requireNonNull(call, "call"));
  }

  /**
   * Predicts the time of a call, out of place, on real hardware.
   *
   * @throws SettingException if NCCL refuses the call or sends nothing for it, or if no model
   *     covers it
   */
  public Prediction predict(Call call) {
    return answers.predict(requireNonNull(call, "call"));
  }

  /**
   * Explanations of a call: the choice, the bound, the channels, the ports between nodes, the
   * search, GPUDirect and PXN.
   *
   * @throws SettingException as {@link #tune}
   */
  public List<Explanation> explain(Call call) {
    return answers.explain(requireNonNull(call, "call"));
  }

  /**
   * The memory that NCCL takes on each GPU and host, step by step: {@code memory("init",
   * "all_reduce 256 MiB")}.
   *
   * @param steps the steps in order, written as for {@code topo memory --steps}; none for the
   *     default steps of {@code topo memory}
   * @throws SettingException if a text is not a step, or a step needs a communicator that no
   *     earlier step creates
   */
  public MemoryAnswer memory(String... steps) {
    return answers.memory(List.of(steps), this::halves);
  }

  /** The communicators of the ranks with even and with odd numbers. */
  private List<Communicator> halves() {
    return groups("MOD 2").stream().map(half -> half.answers.result().communicator()).toList();
  }

  /** The problems of the topology, their effects on NCCL, and their fixes. */
  public List<LintFinding> lint() {
    SourceText source = machine.source();
    NcclProfile profile = spec.rules().profile();
    return new FindingCost(Optional.empty(), profile, evaluator, "all fixes")
        .add(source, new Linter(profile).lint(source, FileKind.TOPOLOGY));
  }

  /** The limits of the model that concern this job. */
  public List<Caveat> caveats() {
    return answers.caveats();
  }

  /** The limits of the model that concern this job and a call. */
  public List<Caveat> caveats(Call call) {
    return answers.caveats(requireNonNull(call, "call"));
  }

  /**
   * The first machine of the job as an unmodifiable graph of JGraphT: its nodes, and its links in
   * each direction, weighted by bandwidth in GB/s.
   */
  public Graph<Node, Link> graph() {
    return GraphView.of(job().first().topology());
  }

  /** The differences between this job and another one, for the given calls. */
  JobChange changes(Topo after, List<Call> calls) {
    return JobChange.of(answers.of(calls), after.answers.of(calls));
  }

  /** Describes the job: {@code dgx-h100, 4 nodes, NCCL 2.28.9}. */
  @Override
  public String toString() {
    return "%s, %s, NCCL %s%s"
        .formatted(
            machine.name(),
            QuantityFormat.count(spec.layout().hosts().size(), "node"),
            spec.rules().release(),
            group.map(color -> ", group " + color).orElse(""));
  }

  /** Fails with a message unless a condition holds. */
  static void require(boolean holds, Supplier<String> message) {
    if (!holds) {
      throw new SettingException(message.get());
    }
  }
}
