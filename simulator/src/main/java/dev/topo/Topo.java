package dev.topo;

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
 * <p>Immutable and for several threads: each method that changes something returns another job.
 * Jobs that come from one another share the graphs that were found, so that an equal machine is
 * searched once. Times are those of {@code topo predict}: the calibration is chosen by the machine,
 * between nodes by its ports, and each GPU has a process of its own.
 *
 * <p>A topology is read when it is first used: {@link #lint} also has an answer for a text that
 * cannot be read, every other question fails with {@link TopologyFormatException}. Where NCCL would
 * not start, or its rules are not known, a question fails with {@link UnusableTopologyException}.
 */
public final class Topo {
  /** More hosts than NVLink joins. */
  private static final int MOST_HOSTS = 1000;

  private final MachineDocument machine;

  /** The job as stated, whose only file is the machine; with a split where this is one group. */
  private final JobSpec spec;

  /** Which communicator of the split; empty for all ranks. */
  private final Optional<Integer> group;

  private final JobEvaluator evaluator;
  private final Inputs inputs;
  private final EvaluatedJob answers;

  /** Fails where NCCL would not start with the settings. */
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
   * One node with the machine of a file, which may be compressed by gzip.
   *
   * @throws TopologyFormatException if there is no such file, or it is too large
   */
  public static Topo open(Path file) {
    Inputs inputs = new Inputs();
    return of(file.toString(), new XmlReader().bytes(file, inputs), inputs);
  }

  /** One node with the machine of a text in NCCL's XML. */
  public static Topo parse(String xml) {
    return of("text", xml.getBytes(StandardCharsets.UTF_8), new Inputs());
  }

  /**
   * One node with the machine of a stream, which may be compressed by gzip and is not closed.
   *
   * @param name what to call it in messages
   * @throws TopologyFormatException if it cannot be read, or is too large
   */
  public static Topo read(InputStream in, String name) {
    return of(name, new XmlReader().bytes(in, name), new Inputs());
  }

  /**
   * The job on a number of equal nodes.
   *
   * @throws SettingException if it is not 1 to 1000000, or this is a communicator of a split
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
   * The job on nodes that are NVLink domains (MNNVL) of several hosts like this machine: 18 for a
   * rack of 18 trays. {@link #nodes} then counts domains.
   *
   * @throws SettingException if it is not 1 to 1000
   */
  public Topo nvlinkDomain(int hosts) {
    require(
        hosts >= 1 && hosts <= MOST_HOSTS,
        () -> "NVLink domain of %s hosts: expected 1 to %s".formatted(hosts, MOST_HOSTS));
    return hosts == 1 ? this : with(machine.joined(hosts), spec);
  }

  /**
   * The job under the rules of a release of NCCL, as in {@code 2.27.7}.
   *
   * @throws SettingException if the text is none, or the release is older than all that have rules
   */
  public Topo release(String version) {
    NcclRelease release =
        NcclRelease.find(version)
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
    return with(spec.withSettings(spec.settings().with(NcclSettings.of(Map.of(name, value)))));
  }

  /**
   * The job with a calibration of the network between nodes: rdma, slingshot, efa, sockets, or the
   * name of a file.
   *
   * @throws SettingException if it is neither
   * @throws TopologyFormatException if the file is no calibration
   */
  public Topo network(String name) {
    TimeSpec times = spec.times().withNetwork(new TimeSpec.NamedFile(name, Path.of(name)));
    new TimeResolver(times, inputs, note -> {}).network(); // fails if there is none
    return with(spec.withTimes(times));
  }

  /**
   * The communicators of a split of the ranks, in the order of their colours; equal ones are the
   * same object.
   *
   * @param rule an operation and a number as in NCCL_TESTS_SPLIT, such as {@code DIV 8}, or lists
   *     of ranks, such as {@code 0-7;8-15}
   * @throws SettingException if it is none, or names a rank that there is not
   */
  public List<Topo> groups(String rule) {
    require(group.isEmpty(), () -> "groups " + rule + ": this is a group of a split already");
    JobSpec split = spec.withLayout(spec.layout().withSplit(rule));
    SortedMap<Integer, Topo> groups = new TreeMap<>();
    try {
      for (JobPart kind : EvaluatedJob.resolved(machine, split, inputs).parts()) {
        Topo of = new Topo(machine, split, Optional.of(kind.colors().get(0)), evaluator, inputs);
        kind.colors().forEach(color -> groups.put(color, of));
      }
    } catch (SpecException e) {
      throw new SettingException("groups " + rule + e.problem(), e);
    }
    return List.copyOf(groups.values());
  }

  /**
   * The job after edits, in the words of {@code topo whatif}: {@code remove net:mlx5_3}, {@code
   * net:*.speed=200000}, {@code env NCCL_ALGO=Ring}, {@code nccl 2.27.5}, {@code machine
   * other.xml}; several with a semicolon or a line break between.
   *
   * @throws SettingException if there is no edit, or it sets what is no setting
   * @throws TopologyFormatException if an edit cannot be read, or does not fit the machine
   */
  public Topo edit(String edits) {
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

  /** This job beside the same after edits; errors as {@link #edit}. */
  public Comparison compare(String edits) {
    return new Comparison(this, edit(edits));
  }

  /** The machines of the job in rank order, for {@link JobEvaluator} and all below it. */
  public Job job() {
    return answers.job();
  }

  /** The graphs of each different machine, for each group of GPUs that only the network joins. */
  public List<DomainGraphs> search() {
    return answers.search();
  }

  /** The nodes of the job and the place of every rank in every channel. */
  public Connection connect() {
    return answers.result().connection();
  }

  /**
   * The launch of a call.
   *
   * @throws SettingException if NCCL refuses the call, sends nothing for it, or its release has no
   *     rules for sends and receives
   */
  public CallChoice tune(Call call) {
    return answers.tune(call);
  }

  /**
   * The time of a call on real hardware, out of place.
   *
   * @throws SettingException if NCCL refuses the call, nothing is sent for it, or no calibration
   *     covers it
   */
  public Prediction predict(Call call) {
    return answers.predict(call);
  }

  /**
   * Explanations of a call: the choice, the bound, the channels, the ports between nodes, the
   * search, GPUDirect and PXN.
   *
   * @throws SettingException as {@link #tune}
   */
  public List<Explanation> explain(Call call) {
    return answers.explain(call);
  }

  /**
   * The memory that NCCL takes of each GPU and host, step by step: {@code memory("init",
   * "all_reduce 256 MiB")}.
   *
   * @param steps calls in order as {@code topo memory --steps} has them; those of {@code topo
   *     memory} where there are none
   * @throws SettingException if one is none, or needs a communicator that none makes before
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

  /** The same, with what the answers for a call do not model. */
  public List<Caveat> caveats(Call call) {
    return answers.caveats(call);
  }

  /**
   * The first machine of the job as a graph of JGraphT, which cannot be changed: nodes, and links
   * in each direction with their bandwidth in GB/s as weight.
   */
  public Graph<Node, Link> graph() {
    return GraphView.of(job().first().topology());
  }

  /** The differences in the answers of another job, for some calls. */
  JobChange changes(Topo after, List<Call> calls) {
    return JobChange.of(answers.of(calls), after.answers.of(calls));
  }

  /** {@code dgx-h100, 4 nodes, NCCL 2.28.9}. */
  @Override
  public String toString() {
    return "%s, %s, NCCL %s%s"
        .formatted(
            machine.name(),
            QuantityFormat.count(spec.layout().hosts().size(), "node"),
            spec.rules().release(),
            group.map(color -> ", group " + color).orElse(""));
  }

  /** Fails with a message that has what was given and what was expected. */
  static void require(boolean holds, Supplier<String> message) {
    if (!holds) {
      throw new SettingException(message.get());
    }
  }
}
