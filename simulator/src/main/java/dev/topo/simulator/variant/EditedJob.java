package dev.topo.simulator.variant;

import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.inspect.caveat.CaveatCollector.CaveatJob.Subject;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.edit.EditSet;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Topology;
import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.job.GroupRule;
import dev.topo.model.job.Job;
import dev.topo.model.job.JobSplitter;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.Machine.MachineName;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.SpecException;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.topology.DeclaredSystem;
import dev.topo.search.topology.NvlinkDomain;
import dev.topo.search.topology.NvlinkDomain.HostGpu;
import dev.topo.simulator.evaluate.DeclaredGpuCheck;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResolver.MissingPorts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Puts edited machines into a job: in the places of the file that the edits are about. */
public final class EditedJob {
  /** Stands for the machine after edits, which is no file. */
  private static final Path EDITED = Path.of("");

  private final Path edited;
  private final List<Path> files;
  private final int editedNodes;
  private final Sources sources;
  private final ReleaseRules rules;
  private final MissingPorts missingPorts = new MissingPorts();
  private final CaveatCollector caveats;
  private final Consumer<SpecText> notes;
  private Optional<Subject> unedited = Optional.empty();
  private boolean editedReported;
  private boolean declaredReported;

  /** Reads the topology of some GPUs of a machine. */
  @FunctionalInterface
  public interface PartReader {
    /** The topology of a {@code <system>} element with some GPUs by the rules of a version. */
    Topology read(XmlElement system, GpuSelection gpus, NcclProfile profile);
  }

  /** Gives a request the calibrations and switches that it is evaluated with. */
  @FunctionalInterface
  public interface Calibrator {
    /**
     * This request with them.
     *
     * @param whole the job, whose machines have the hosts in order
     * @param machines the machines of the request, by their places in the whole job
     */
    JobRequest apply(JobRequest request, Job whole, List<Integer> machines);
  }

  /**
   * The sources of a job.
   *
   * @param files reads the topology of a file under the rules of a version
   * @param contents the contents of the machine of a file
   * @param documents reads the topology of a document, which need not be in a file
   * @param parts reads that of some GPUs of a machine
   * @param calibrator gives a request its calibrations and its switches
   * @param evaluator evaluates the job
   */
  public record Sources(
      BiFunction<Path, NcclProfile, Topology> files,
      Function<Path, XmlDocument> contents,
      BiFunction<XmlDocument, NcclProfile, Topology> documents,
      PartReader parts,
      Calibrator calibrator,
      JobEvaluator evaluator) {}

  /**
   * A job.
   *
   * @param edited the file that the edits are about
   * @param files the files of all machines in rank order
   * @param editedNodes how many of the machines of that file are edited; empty for all
   * @param rules the rules of NCCL where no edit names others
   * @param caveats collects what is not modelled for the job
   * @param notes takes the notes on its machines
   * @throws SpecException if there are not that many machines of that file
   */
  public EditedJob(
      Path edited,
      List<Path> files,
      Optional<Integer> editedNodes,
      Sources sources,
      ReleaseRules rules,
      CaveatCollector caveats,
      Consumer<SpecText> notes) {
    int equalNodes = (int) files.stream().filter(file -> isSame(file, edited)).count();
    if (equalNodes == 0) {
      throw new SpecException(
          SpecField.NODE, ": none is %s, expected FILE among the machines of the job", edited);
    }
    this.editedNodes = editedNodes.orElse(equalNodes);
    if (this.editedNodes < 1 || this.editedNodes > equalNodes) {
      throw new SpecException(
          SpecField.EDITED_NODES,
          " %s: expected 1 to %s, the nodes that are %s",
          this.editedNodes,
          equalNodes,
          edited);
    }
    this.edited = edited;
    this.files = files;
    this.sources = sources;
    this.rules = rules;
    this.caveats = caveats;
    this.notes = notes;
  }

  private static boolean isSame(Path a, Path b) {
    return a.toAbsolutePath().normalize().equals(b.toAbsolutePath().normalize());
  }

  /** The machines that are edited. */
  public EditedNodes nodes() {
    return new EditedNodes(editedNodes, files.size());
  }

  /** A job with an edited machine before its evaluation, which several threads may do at once. */
  public record Prepared(String name, int node, JobRequest request) {
    public WhatIfOutcome evaluated(JobEvaluator evaluator) {
      return new WhatIfOutcome(name, node, evaluator.evaluate(request));
    }
  }

  /**
   * Evaluates the communicators of the job with a machine after edits.
   *
   * @param split how the ranks are split, those of edited machines as all others; empty for a whole
   *     job
   */
  public List<Communicators> communicators(
      String name, EditedMachine after, Optional<GroupRule> split) {
    return communicators(prepared(name, after, split), after, split);
  }

  /**
   * Evaluates a job that is prepared.
   *
   * @param whole what {@link #prepared(String, EditedMachine, Optional)} makes of the rest
   */
  public List<Communicators> communicators(
      Prepared whole, EditedMachine after, Optional<GroupRule> split) {
    if (split.isEmpty()) {
      return List.of(new Communicators(List.of(0), whole.evaluated(sources.evaluator())));
    }
    NcclProfile profile = whole.request().profile();
    List<Path> machines = edits(whole);
    return JobSplitter.split(
            whole.request().job(),
            split.get(),
            (place, gpus) -> some(machines.get(place), after, gpus, profile))
        .stream()
        .map(part -> new Communicators(part.colors(), outcome(whole, part)))
        .toList();
  }

  /** Evaluates a variant, which NCCL may refuse. */
  public SplitReport.Variant variant(
      EditSet variant, EditedMachine after, Optional<GroupRule> split) {
    try {
      return new SplitReport.Variant(
          variant, communicators(variant.name(), after, split), Optional.empty());
    } catch (UnusableTopologyException e) {
      return new SplitReport.Variant(variant, List.of(), Optional.of(e));
    }
  }

  /** Equal communicators of a job, by their colours. */
  public record Communicators(List<Integer> colors, WhatIfOutcome outcome) {
    /** Copies the list. */
    public Communicators {
      colors = List.copyOf(colors);
    }
  }

  /** The files of the machines in their places, the edited one's where it is edited. */
  private List<Path> edits(Prepared whole) {
    List<Machine> machines = whole.request().job().machines();
    Machine changed = machines.get(whole.node());
    List<Path> places = new ArrayList<>();
    for (int place = 0; place < machines.size(); place++) {
      places.add(machines.get(place) == changed ? EDITED : files.get(place));
    }
    return places;
  }

  private Topology some(
      Path machine, EditedMachine after, List<GpuNode> gpus, NcclProfile profile) {
    XmlElement system =
        (machine.equals(EDITED) ? after.seen() : sources.contents().apply(machine)).root();
    Set<HostGpu> taken =
        gpus.stream()
            .map(gpu -> new HostGpu(gpu.id().systemId(), gpu.dev()))
            .collect(Collectors.toSet());
    if (NvlinkDomain.hasSeveralHosts(system)) {
      XmlElement part = NvlinkDomain.only(system, taken::contains);
      return sources.parts().read(part, GpuSelection.ALL, profile);
    }
    Set<Integer> devices = taken.stream().map(HostGpu::dev).collect(Collectors.toSet());
    return sources.parts().read(system, GpuSelection.of(devices), profile);
  }

  private WhatIfOutcome outcome(Prepared whole, JobSplitter.Part part) {
    if (whole.request().actual().isPresent()) {
      throw new SettingException(
          "NCCL_TOPO_FILE declares another machine: expected a whole job, not a split");
    }
    int node = Math.max(0, part.machines().indexOf(whole.node()));
    JobRequest request = JobRequest.of(part.job(), whole.request().profile(), List.of());
    return new Prepared(
            whole.name(),
            node,
            sources.calibrator().apply(request, whole.request().job(), part.machines()))
        .evaluated(sources.evaluator());
  }

  /** The job with a machine after edits. The settings are those of all nodes. */
  public WhatIfOutcome outcome(String name, EditedMachine after) {
    return prepared(name, after).evaluated(sources.evaluator());
  }

  /** The job with a machine after edits. Notes and caveats on it are reported here. */
  public Prepared prepared(String name, EditedMachine after) {
    return prepared(name, after, Optional.empty());
  }

  /** Prepares the job with a machine after edits. */
  public Prepared prepared(String name, EditedMachine after, Optional<GroupRule> split) {
    NcclSettings settings = after.settings();
    ReleaseRules followed = after.nccl().orElse(rules);
    NcclProfile profile = followed.profile();
    caveats.add(CaveatFinder.ofRelease(followed));
    Topology there = sources.documents().apply(after.machine(), profile);
    Optional<DeclaredSystem> declared =
        after.declared().map(file -> caveats.declared(file.root(), there, files.size(), settings));
    if (declared.isEmpty()) {
      caveats.declared(there, files.size(), settings);
    }
    Machine machine =
        new Machine(declared.map(seen -> seen.topology(profile)).orElse(there), settings);
    Optional<Machine> actual = declared.map(seen -> new Machine(there, settings));
    actual.ifPresent(
        known ->
            DeclaredGpuCheck.requireEqual(
                machine.nRanks(),
                file(after.seen()),
                known.nRanks(),
                "the actual machine (" + file(after.machine()) + ")"));
    Map<String, Machine> others = new LinkedHashMap<>();
    List<Machine> machines = new ArrayList<>();
    int left = editedNodes;
    for (Path file : files) {
      if (isSame(file, edited) && left > 0) {
        machines.add(machine);
        left--;
      } else {
        machines.add(
            others.computeIfAbsent(
                file.toString(),
                other -> new Machine(sources.files().apply(file, profile), settings)));
      }
    }
    Job job = new Job(machines);
    split.ifPresent(rule -> requireRanks(rule, job));
    int nodes = split.map(rule -> JobSplitter.mostMachines(job, rule)).orElse(machines.size());
    boolean isShared = split.filter(rule -> JobSplitter.sharesHosts(job, rule)).isPresent();
    reportMissingPorts(name, machine, others, nodes);
    addCaveats(after, machine, others, nodes, isShared);
    if (actual.isPresent() && machines.size() > 1 && !declaredReported) {
      declaredReported = true;
      notes.accept(
          SpecText.of(
              "note: between nodes busbw is that of the declared machine, whose links are taken for the actual ones"));
    }
    JobRequest request = JobRequest.of(job, profile, List.of()).withActual(actual);
    List<Integer> places = IntStream.range(0, machines.size()).boxed().toList();
    return new Prepared(
        name, machines.indexOf(machine), sources.calibrator().apply(request, job, places));
  }

  private static void requireRanks(GroupRule split, Job job) {
    try {
      split.groups(job.nRanks());
    } catch (IllegalArgumentException e) {
      throw new SpecException(SpecField.SPLIT, e, ": %s", e.getMessage());
    }
  }

  /** NVLinks are as the edits leave them, unless these take another machine. */
  private void addCaveats(
      EditedMachine after,
      Machine machine,
      Map<String, Machine> others,
      int nodes,
      boolean isShared) {
    List<Subject> subjects = new ArrayList<>();
    Subject asRead = caveats.subject(edited, machine.topology());
    Subject seen =
        new Subject(
            MachineName.of(Path.of(file(after.seen()))),
            machine.topology(),
            after.seen().root(),
            asRead.isWired()
                || (unedited.isPresent() && isSame(Path.of(file(after.seen())), edited)));
    subjects.add(seen);
    others.forEach((file, other) -> subjects.add(caveats.subject(Path.of(file), other.topology())));
    caveats.add(subjects, nodes, isShared, after.settings());
    caveats.add(CaveatFinder.ofDomains(subjects, after.nccl().orElse(rules)));
    unedited.ifPresent(
        before -> caveats.add(CaveatFinder.ofChange(before, machine.topology(), nodes)));
    unedited = unedited.or(() -> Optional.of(seen));
  }

  private static String file(XmlDocument machine) {
    return machine.root().location().file();
  }

  /** Reported once for the edited machine: before the edits, or for the first variant. */
  private void reportMissingPorts(
      String name, Machine machine, Map<String, Machine> others, int nodes) {
    Map<String, Machine> named = new LinkedHashMap<>();
    if (!editedReported) {
      named.put(edited + (name.isEmpty() ? "" : " (" + name + ")"), machine);
      editedReported = machine.topology().nets().isEmpty();
    }
    others.forEach(named::putIfAbsent);
    missingPorts.note(named, nodes).ifPresent(notes);
  }
}
