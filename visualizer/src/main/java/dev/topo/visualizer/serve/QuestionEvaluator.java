package dev.topo.visualizer.serve;

import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.edit.Edit;
import dev.topo.inspect.edit.EditApplier;
import dev.topo.inspect.edit.EditSet;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.inspect.edit.VariantReader;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.SpecField;
import dev.topo.model.job.GroupRule;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.SpecException;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.operation.Call;
import dev.topo.model.xml.XmlDocument;
import dev.topo.search.connect.GraphCache;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.rules.ReleaseRules.NcclRelease;
import dev.topo.search.rules.SettingVersions.SettingNotes;
import dev.topo.search.topology.NvlinkDomain;
import dev.topo.search.topology.TopologySource;
import dev.topo.search.topology.TopologySource.UnknownElements;
import dev.topo.search.tuning.EnablingRules;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobResolver;
import dev.topo.simulator.evaluate.JobSpec.TimeSpec;
import dev.topo.simulator.evaluate.RankLayout;
import dev.topo.simulator.evaluate.RankLayout.DomainSizes;
import dev.topo.simulator.evaluate.TimeResolver;
import dev.topo.simulator.network.NetworkFile;
import dev.topo.simulator.variant.EditedJob;
import dev.topo.simulator.variant.Score;
import dev.topo.simulator.variant.SplitReport;
import dev.topo.simulator.variant.WhatIfReport;
import dev.topo.visualizer.view.OptionWords;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Evaluates the questions of pages as {@code topo whatif} evaluates its command line. Graphs are
 * searched once for equal machines, whichever page asks. Reads no file. For several threads.
 */
public final class QuestionEvaluator {
  /** Settings that name files, which the server does not read for a page. */
  private static final Set<String> OF_FILES = Set.of(EditApplier.TOPO_FILE, "NCCL_GRAPH_FILE");

  /** Jobs whose answers before edits are kept; that of a rack has some 10 MB. */
  private static final int MOST_JOBS = 8;

  private final Map<JobState.Key, JobState> jobs = RecentMap.of(MOST_JOBS);
  private final MachineShelf shelf;
  private final GraphCache graphs = new GraphCache(new StoppableSearch(new QuestionStage()));
  private final JobEvaluator evaluator;
  private final Inputs inputs;

  /**
   * An evaluator of questions.
   *
   * @param shelf the machines
   * @param evaluator evaluates their jobs; it gets a search that can be cancelled
   * @param inputs the files that the command has read
   */
  public QuestionEvaluator(MachineShelf shelf, JobEvaluator evaluator, Inputs inputs) {
    this.shelf = shelf;
    this.evaluator = evaluator.with(graphs);
    this.inputs = inputs;
  }

  JobEvaluator evaluator() {
    return evaluator;
  }

  MachineShelf shelf() {
    return shelf;
  }

  Inputs inputs() {
    return inputs;
  }

  /** Handler of an evaluated question. */
  interface Use<T> {
    T of(EvaluatedQuestion answered) throws IOException;
  }

  /**
   * Uses the job of a question before and after its edits. Stops when its thread is interrupted.
   *
   * @param stage learns what is being done
   * @throws FieldException if a field states what the command line would refuse
   * @throws UnusableTopologyException if NCCL would not start before the edits
   */
  <T> T evaluate(PageQuestion question, QuestionStage stage, Use<T> use) throws IOException {
    JobState.Key key = JobState.Key.of(question);
    JobState state = taken(key);
    try {
      T result = use.of(state.evaluated(question, () -> evaluated(question, state, stage)));
      keep(key, state);
      return result;
    } catch (RuntimeException e) {
      // A refused edit or a cancelled question leaves whole what is known; no memory may not.
      keep(key, state);
      throw e;
    }
  }

  private void keep(JobState.Key key, JobState state) {
    synchronized (jobs) {
      jobs.put(key, state);
    }
  }

  /** The state of a job, which no other question uses meanwhile; a new one where one does. */
  private JobState taken(JobState.Key key) {
    synchronized (jobs) {
      return Optional.ofNullable(jobs.remove(key)).orElseGet(JobState::new);
    }
  }

  private EvaluatedQuestion evaluated(PageQuestion question, JobState state, QuestionStage stage) {
    JobEvaluator watched = evaluator.with(graphs.searchedBy(new StoppableSearch(stage)));
    ServedMachine machine = shelf.get(question.machine());
    RankLayout layout = layout(question, machine);
    Function<Path, XmlDocument> contents = contents(question, machine, state);
    DomainSizes domains = layout.domains();
    List<Path> files = FieldException.in("domain", layout::editable);
    ReleaseRules rules = FieldException.in("release", () -> rules(question));
    NcclSettings settings = FieldException.in("env", () -> settings(question.settings(), rules));
    List<Edit> edits = FieldException.in("edit", () -> edits(question.edits(), rules));
    stage.enter("editing the machine");
    XmlDocument document = contents.apply(machine.file());
    EditedMachine before = EditedMachine.of(document, settings);
    EditedMachine after =
        FieldException.in("edit", () -> applier(rules, question, state).apply(before, edits));
    List<String> notes = new ArrayList<>(SettingNotes.withoutInfluence(after.settings()));
    notes.addAll(SettingNotes.absent(after.settings(), after.nccl().orElse(rules)));
    CaveatCollector caveats =
        new CaveatCollector(
            file -> contents.apply(file).root(), () -> false, () -> rules, inputs, notes::add);
    if (domains.isStated()) {
      caveats.domainsAreStated();
    }
    EditedJob job =
        FieldException.in(
            "editedNodes",
            () ->
                new EditedJob(
                    machine.file(),
                    files,
                    question.editedNodes(),
                    sources(question, contents, state, watched),
                    rules,
                    caveats,
                    note -> notes.add(OptionWords.of(note))));
    Optional<GroupRule> split =
        FieldException.in("split", () -> question.split().map(JobResolver::rule));
    stage.enter("the job as it is");
    EditedJob.Prepared asItIs = ofSplit(() -> job.prepared("as it is", before, split));
    List<EditedJob.Communicators> communicators =
        state.before(() -> ofSplit(() -> job.communicators(asItIs, before, split)));
    stage.enter("the job after the edits");
    List<Call> calls = question.calls();
    SplitReport report =
        new SplitReport(
            domains.nameOf(files),
            job.nodes(),
            split.isPresent(),
            communicators,
            calls,
            calls.get(calls.size() - 1),
            Score.Ranking.BUSBW);
    List<Tried> tried =
        edits.isEmpty() ? List.of() : List.of(ofSplit(() -> tried(edits, after, job, split)));
    Map<String, WhatIfReport> reports =
        ofSplit(() -> report.of(tried.stream().map(Tried::variant).toList()));
    reports
        .values()
        .forEach(
            whatIfReport -> caveats.add(CaveatFinder.ofMemory(whatIfReport.memoryOmissions())));
    Machine whole =
        tried.stream()
            .flatMap(attempt -> attempt.machine().stream())
            .findFirst()
            .orElse(machine(asItIs));
    stage.enter("writing the answer");
    return new EvaluatedQuestion(
        question, machine, layout, rules, before, after, reports, whole, caveats.list(), notes);
  }

  /** Where the machines of a question are in its job. */
  private RankLayout layout(PageQuestion question, ServedMachine machine) {
    List<Path> hosts = new ArrayList<>(Collections.nCopies(question.nodes(), machine.file()));
    for (PageQuestion.Others others : question.others()) {
      ServedMachine other = other(others);
      if (other != machine && other.file().equals(machine.file())) {
        throw FieldException.of(
            "other", other.file() + ": expected machines of other names than the edited one");
      }
      hosts.addAll(Collections.nCopies(others.count(), other.file()));
    }
    return new RankLayout(
        question.others().isEmpty()
            ? new RankLayout.Equal(machine.file(), question.nodes())
            : new RankLayout.Listed(hosts),
        question.domain() == 1 ? DomainSizes.NONE : new DomainSizes(List.of(question.domain())),
        Optional.empty(),
        question.split());
  }

  private ServedMachine other(PageQuestion.Others others) {
    try {
      return shelf.get(others.machine());
    } catch (FieldException e) {
      throw FieldException.of("other", String.valueOf(e.getMessage()));
    }
  }

  /** The machines of a job by their files. */
  private Function<Path, XmlDocument> contents(
      PageQuestion question, ServedMachine machine, JobState state) {
    Map<Path, XmlDocument> known = new HashMap<>();
    known.put(machine.file(), state.document(() -> document(machine, question.domain())));
    question
        .others()
        .forEach(
            others -> {
              ServedMachine other = other(others);
              known.computeIfAbsent(other.file(), file -> document(other, question.domain()));
            });
    return file -> Objects.requireNonNull(known.get(file));
  }

  private static ReleaseRules rules(PageQuestion question) {
    return question
        .release()
        .map(release -> ReleaseRules.of(NcclRelease.parse(release)))
        .orElse(ReleaseRules.DEFAULT);
  }

  private static NcclSettings settings(List<String> assignments, ReleaseRules rules) {
    NcclSettings settings = NcclSettings.parse(assignments);
    settings.values().keySet().forEach(QuestionEvaluator::requireNoFile);
    EnablingRules.check(rules.profile(), settings);
    return settings;
  }

  private static void requireNoFile(String setting) {
    if (OF_FILES.contains(setting)) {
      throw new SettingException(
          setting + ": the page reads no file that a setting names; use the command line");
    }
  }

  /** The edits; their settings are checked as those of the job are. */
  private static List<Edit> edits(List<String> texts, ReleaseRules rules) {
    List<Edit> edits = texts.isEmpty() ? List.of() : VariantReader.edits(texts, "edit ");
    for (Edit edit : edits) {
      if (edit instanceof Edit.SetEnv env) {
        try {
          settings(List.of(env.name() + "=" + env.value()), rules);
        } catch (SettingException e) {
          throw new SettingException(env.location() + ": " + e.getMessage(), e);
        }
      }
    }
    return edits;
  }

  private static XmlDocument document(ServedMachine machine, int hosts) {
    return hosts == 1 ? machine.document() : NvlinkDomain.ofEqual(machine.document(), hosts);
  }

  private EditApplier applier(ReleaseRules rules, PageQuestion question, JobState state) {
    return new EditApplier(
        file -> document(shelf.named(file), question.domain()),
        edited -> topology(edited, rules.profile(), state));
  }

  private EditedJob.Sources sources(
      PageQuestion question,
      Function<Path, XmlDocument> contents,
      JobState state,
      JobEvaluator watched) {
    TimeSpec usual = TimeSpec.USUAL;
    TimeSpec times = question.network().map(name -> usual.withNetwork(network(name))).orElse(usual);
    TimeResolver resolver = new TimeResolver(times, inputs, note -> {});
    return new EditedJob.Sources(
        (file, profile) -> topology(contents.apply(file), profile, state),
        contents,
        (machine, profile) -> topology(machine, profile, state),
        (system, gpus, profile) ->
            TopologySource.build(
                system, UnknownElements.REJECTED, gpus, profile, new Diagnostics()),
        resolver::applyTo,
        watched);
  }

  private static Topology topology(XmlDocument document, NcclProfile profile, JobState state) {
    return state.topology(
        document,
        profile,
        machine ->
            TopologySource.build(
                machine, UnknownElements.REJECTED, GpuSelection.ALL, profile, new Diagnostics()));
  }

  /** A shipped calibration: a name may be that of a file, which is not read. */
  private static TimeSpec.NamedFile network(String name) {
    if (!NetworkFile.SHIPPED.contains(name)) {
      throw FieldException.of(
          "network",
          "'%s': expected one of %s".formatted(name, String.join(", ", NetworkFile.SHIPPED)));
    }
    return new TimeSpec.NamedFile(name, Path.of(name));
  }

  /** Outcome of edits, with the edited machine where NCCL starts. */
  private record Tried(SplitReport.Variant variant, Optional<Machine> machine) {}

  private static Machine machine(EditedJob.Prepared job) {
    return job.request().job().machines().get(job.node());
  }

  /** The outcome of a split; a split that does not fit the job is an error of its field. */
  private static <T> T ofSplit(Supplier<T> value) {
    try {
      return value.get();
    } catch (SpecException e) {
      throw e.field() == SpecField.SPLIT ? FieldException.of("split", e) : e;
    }
  }

  private static Tried tried(
      List<Edit> edits, EditedMachine after, EditedJob job, Optional<GroupRule> split) {
    EditSet set = new EditSet(new EditSet("", edits).text(), edits);
    try {
      EditedJob.Prepared prepared = job.prepared(set.name(), after, split);
      return new Tried(
          new SplitReport.Variant(set, job.communicators(prepared, after, split), Optional.empty()),
          Optional.of(machine(prepared)));
    } catch (UnusableTopologyException e) {
      return new Tried(new SplitReport.Variant(set, List.of(), Optional.of(e)), Optional.empty());
    }
  }
}
