package dev.topo.simulator.variant;

import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.inspect.caveat.CaveatCollector.CaveatJob.Subject;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.edit.EditSet;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.model.Topology;
import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecField.SpecText;
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
import dev.topo.search.topology.DeclaredTopology;
import dev.topo.search.topology.JobMachines.HostFiles;
import dev.topo.simulator.evaluate.DeclaredGpuCheck;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResolver;
import dev.topo.simulator.evaluate.JobResolver.MissingPorts;
import dev.topo.simulator.evaluate.JobResolver.ResolvedJob;
import dev.topo.simulator.evaluate.JobSpec;
import dev.topo.simulator.evaluate.RankLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/** Replaces the machines of one file in a job by edited ones. */
public final class EditedJob {
  /** Placeholder for the edited machine, which has no file. */
  private static final Path EDITED = Path.of("");

  private final JobSpec spec;
  private final Path edited;
  private final EditedNodes nodes;

  /** The file of each machine in rank order; {@link #EDITED} for edited ones. */
  private final List<Path> places = new ArrayList<>();

  private final JobSources sources;
  private final CaveatCollector caveats;
  private final Consumer<SpecText> notes;
  private final MissingPorts missingPorts = new MissingPorts();

  private Optional<Subject> unedited = Optional.empty();
  private boolean editedReported;
  private boolean declaredReported;

  /**
   * A job.
   *
   * @param spec the machines and ranks as stated, with the rules that apply unless an edit names
   *     others
   * @param edited the file of the machines to edit
   * @param editedNodes how many machines of that file are edited; empty for all
   * @param sources reads the machines; for an NVLink domain all its hosts
   * @param caveats collects the limits of the model for the job
   * @param notes receives the notes on its machines
   * @throws SpecException if there are fewer machines of that file, or stated ranks or NVLink
   *     domains do not fit the edits
   */
  public EditedJob(
      JobSpec spec,
      Path edited,
      Optional<Integer> editedNodes,
      JobSources sources,
      CaveatCollector caveats,
      Consumer<SpecText> notes) {
    List<Path> files = spec.layout().editable();
    int equalNodes = (int) files.stream().filter(file -> isSame(file, edited)).count();
    if (equalNodes == 0) {
      throw new SpecException(
          SpecField.NODE, ": none is %s, expected FILE among the machines of the job", edited);
    }
    int left = editedNodes.orElse(equalNodes);
    if (left < 1 || left > equalNodes) {
      throw new SpecException(
          SpecField.EDITED_NODES,
          " %s: expected 1 to %s, the nodes that are %s",
          left,
          equalNodes,
          edited);
    }
    this.nodes = new EditedNodes(left, files.size());
    for (Path file : files) {
      places.add(left > 0 && isSame(file, edited) ? EDITED : file);
      left -= isSame(file, edited) ? 1 : 0;
    }
    this.spec = spec;
    this.edited = edited;
    this.sources = sources;
    this.caveats = caveats;
    this.notes = notes;
  }

  private static boolean isSame(Path a, Path b) {
    return a.toAbsolutePath().normalize().equals(b.toAbsolutePath().normalize());
  }

  /** The machines that are edited. */
  public EditedNodes nodes() {
    return nodes;
  }

  /**
   * A job with an edited machine, ready for evaluation. Thread-safe.
   *
   * @param machine the edited machine as NCCL sees it
   * @param communicators the communicators of the job
   */
  public record Prepared(String name, Machine machine, List<Communicators<Placed>> communicators) {
    /** Copies the list. */
    public Prepared {
      communicators = List.copyOf(communicators);
    }

    /**
     * A communicator.
     *
     * @param node the index of an edited machine in it; 0 if it has none
     */
    private record Placed(int node, JobRequest request) {}

    /** The outcome of each communicator. */
    public List<Communicators<WhatIfOutcome>> evaluated(JobEvaluator evaluator) {
      return communicators.stream()
          .map(
              of ->
                  new Communicators<>(
                      of.colors(),
                      new WhatIfOutcome(
                          name, of.value().node(), evaluator.evaluate(of.value().request()))))
          .toList();
    }
  }

  /** The machines of the job, one of them edited. */
  private record EditedFiles(
      HostFiles files, XmlElement edited, Topology topology, GpuSelection gpus)
      implements HostFiles {
    @Override
    public XmlElement system(Path file) {
      return file.equals(EDITED) ? edited : files.system(file);
    }

    @Override
    public Topology topology(Path file, GpuSelection some, NcclProfile profile) {
      if (!file.equals(EDITED)) {
        return files.topology(file, some, profile);
      }
      return some.equals(gpus) ? topology : topology(edited, some, profile);
    }

    @Override
    public Topology topology(XmlElement system, GpuSelection some, NcclProfile profile) {
      return files.topology(system, some, profile);
    }

    /** Machines before and after edits are compared device by device. */
    @Override
    public boolean sharesShapes() {
      return false;
    }
  }

  /** Evaluates the communicators of the job with an edited machine. */
  public List<Communicators<WhatIfOutcome>> communicators(String name, EditedMachine after) {
    return prepared(name, after).evaluated(sources.evaluator());
  }

  /** Evaluates a variant; its failure if NCCL refuses it. */
  public SplitReport.Variant variant(EditSet variant, EditedMachine after) {
    try {
      return new SplitReport.Variant(
          variant, communicators(variant.name(), after), Optional.empty());
    } catch (UnusableTopologyException e) {
      return new SplitReport.Variant(variant, List.of(), Optional.of(e));
    }
  }

  /**
   * Prepares the job with an edited machine, whose settings apply to all nodes. Reports notes and
   * caveats on it.
   */
  public Prepared prepared(String name, EditedMachine after) {
    spec.layout().split().ifPresent(JobResolver::rule); // a wrong one fails before files are read
    NcclSettings settings = after.settings();
    ReleaseRules rules = after.nccl().orElse(spec.rules());
    NcclProfile profile = rules.profile();
    caveats.add(CaveatFinder.ofRelease(rules));
    Topology there = sources.files().topology(after.machine().root(), spec.gpus(), profile);
    Optional<DeclaredTopology> declared =
        after.declared().map(file -> caveats.declared(file.root(), there, nodes.all(), settings));
    if (declared.isEmpty()) {
      caveats.declared(there, nodes.all(), settings);
    }
    Topology seen = declared.map(of -> of.topology(profile)).orElse(there);
    declared.ifPresent(
        of ->
            DeclaredGpuCheck.requireEqual(
                seen.gpus().size(),
                file(after.seen()),
                there.gpus().size(),
                "the actual machine (" + file(after.machine()) + ")"));
    ResolvedJob job =
        sources
            .with(new EditedFiles(sources.files(), after.seen().root(), seen, spec.gpus()))
            .resolve(
                spec.withLayout(
                        new RankLayout(
                            new RankLayout.Listed(places),
                            RankLayout.DomainSizes.NONE,
                            Optional.empty(),
                            spec.layout().split()))
                    .withSettings(settings)
                    .withRules(rules));
    Map<String, Machine> machines = new LinkedHashMap<>();
    for (int place = 0; place < places.size(); place++) {
      machines.putIfAbsent(places.get(place).toString(), job.whole().machines().get(place));
    }
    Machine machine = Objects.requireNonNull(machines.remove(EDITED.toString()));
    reportMissingPorts(name, machine, machines, job.nodes());
    addCaveats(after, machine, machines, job);
    if (declared.isPresent() && nodes.all() > 1 && !declaredReported) {
      declaredReported = true;
      notes.accept(
          SpecText.of(
              "note: between nodes busbw is that of the declared machine, whose links are taken for"
                  + " the actual ones"));
    }
    if (declared.isPresent() && spec.layout().split().isPresent()) {
      throw new SettingException(
          "NCCL_TOPO_FILE declares another machine: expected a whole job, not a split");
    }
    Optional<Machine> actual = declared.map(of -> new Machine(there, settings));
    int node = places.indexOf(EDITED);
    return new Prepared(
        name,
        machine,
        job.parts().stream()
            .map(
                part ->
                    new Communicators<>(
                        part.colors(),
                        new Prepared.Placed(
                            Math.max(0, part.places().get(0).indexOf(node)),
                            sources
                                .times()
                                .request(
                                    profile, part, Optional.empty(), Optional.empty(), actual))))
            .toList());
  }

  /** NVLinks count as stated by the user unless the edits replace the machine. */
  private void addCaveats(
      EditedMachine after, Machine machine, Map<String, Machine> others, ResolvedJob job) {
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
    caveats.add(subjects, job.nodes(), job.sharesHosts(), after.settings());
    caveats.add(CaveatFinder.ofDomains(subjects, after.nccl().orElse(spec.rules())));
    unedited.ifPresent(
        before -> caveats.add(CaveatFinder.ofChange(before, machine.topology(), job.nodes())));
    unedited = unedited.or(() -> Optional.of(seen));
  }

  private static String file(XmlDocument machine) {
    return machine.root().location().file();
  }

  /** Reported once for the edited machine: before the edits, or for the first variant. */
  private void reportMissingPorts(
      String name, Machine machine, Map<String, Machine> others, int largest) {
    Map<String, Machine> named = new LinkedHashMap<>();
    if (!editedReported) {
      named.put(edited + (name.isEmpty() ? "" : " (" + name + ")"), machine);
      editedReported = machine.topology().nets().isEmpty();
    }
    others.forEach(named::putIfAbsent);
    missingPorts.note(named, largest).ifPresent(notes);
  }
}
