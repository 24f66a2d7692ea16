package dev.topo.visualizer.serve;

import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.inspect.edit.Edit;
import dev.topo.inspect.edit.EditApplier;
import dev.topo.inspect.edit.EditSet;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.inspect.edit.VariantReader;
import dev.topo.model.Last;
import dev.topo.model.RecentMap;
import dev.topo.model.Topology;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.SpecField;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.SpecException;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.operation.Call;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.search.connect.GraphCache;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.rules.ReleaseRules.NcclRelease;
import dev.topo.search.rules.SettingVersions.SettingNotes;
import dev.topo.search.topology.JobMachines.HostFiles;
import dev.topo.search.topology.NvlinkDomain;
import dev.topo.search.tuning.EnablingRules;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobSpec;
import dev.topo.simulator.evaluate.JobSpec.TimeSpec;
import dev.topo.simulator.evaluate.RankLayout;
import dev.topo.simulator.evaluate.RankLayout.DomainSizes;
import dev.topo.simulator.evaluate.TimeResolver;
import dev.topo.simulator.network.NetworkFile;
import dev.topo.simulator.variant.Communicators;
import dev.topo.simulator.variant.EditedJob;
import dev.topo.simulator.variant.JobSources;
import dev.topo.simulator.variant.Score;
import dev.topo.simulator.variant.SplitReport;
import dev.topo.simulator.variant.WhatIfOutcome;
import dev.topo.simulator.variant.WhatIfReport;
import dev.topo.visualizer.view.OptionWords;
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
 * Evaluates the questions of pages as {@code topo whatif} evaluates its command line. Graphs of
 * equal machines are searched only once, whichever page asks. Reads no file. Thread-safe.
 */
public final class PageEvaluator {
  /** Settings that name files, which the server does not read for a page. */
  private static final Set<String> FILE_SETTINGS = Set.of(EditApplier.TOPO_FILE, "NCCL_GRAPH_FILE");

  /** Number of jobs whose state is kept; the state of a rack takes about 10 MB. */
  private static final int MAX_JOBS = 8;

  private final Map<List<Object>, JobState> jobs = RecentMap.of(MAX_JOBS);
  private final MachineShelf shelf;
  private final GraphCache graphs = new GraphCache(new StoppableSearch(new QuestionStage()));
  private final JobEvaluator evaluator;
  private final Inputs inputs;

  /**
   * Creates an evaluator.
   *
   * @param shelf the machines that pages may ask about
   * @param evaluator evaluates jobs; its search is replaced by one that can be cancelled
   * @param inputs the files that the command has read
   */
  public PageEvaluator(MachineShelf shelf, JobEvaluator evaluator, Inputs inputs) {
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

  /**
   * Evaluates the job of a question before and after its edits, and makes an answer from the
   * result. Stops when its thread is interrupted.
   *
   * @param stage is told the current step
   * @throws FieldException if a field states what the command line would refuse
   * @throws UnusableTopologyException if NCCL would not start before the edits
   */
  <T> T evaluate(
      PageQuestion question, QuestionStage stage, Function<EvaluatedQuestion, T> answer) {
    List<Object> key = question.unedited();
    JobState state = takeState(key);
    try {
      T result =
          answer.apply(
              state.evaluated(question, shelf.count(), () -> evaluated(question, state, stage)));
      keep(key, state);
      return result;
    } catch (RuntimeException e) {
      // A refused edit or a cancelled question leaves the state valid; an OutOfMemoryError may not,
      // so it is not caught here.
      keep(key, state);
      throw e;
    }
  }

  private void keep(List<Object> key, JobState state) {
    synchronized (jobs) {
      jobs.put(key, state);
    }
  }

  /**
   * Takes the state of a job out of the cache, so that no other question uses it meanwhile; a new
   * one if it is absent or taken.
   */
  private JobState takeState(List<Object> key) {
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
      caveats.useStatedDomains();
    }
    EditedJob job =
        FieldException.in(
            "editedNodes",
            () ->
                new EditedJob(
                    new JobSpec(layout, GpuSelection.ALL, settings, rules, TimeSpec.USUAL),
                    machine.file(),
                    question.editedNodes(),
                    new JobSources(
                        new PageFiles(contents, state), inputs, times(question), watched),
                    caveats,
                    note -> notes.add(OptionWords.of(note))));
    stage.enter("the job as it is");
    EditedJob.Prepared asItIs = checkingSplit(() -> job.prepared("as it is", before));
    List<Communicators<WhatIfOutcome>> communicators =
        state.before(() -> checkingSplit(() -> asItIs.evaluated(watched)));
    stage.enter("the job after the edits");
    List<Call> calls = question.calls();
    SplitReport report =
        new SplitReport(
            domains.nameOf(files),
            job.nodes(),
            communicators,
            calls,
            Last.of(calls),
            Score.Ranking.BUSBW);
    List<Tried> tried =
        edits.isEmpty()
            ? List.of()
            : List.of(checkingSplit(() -> tried(edits, after, job, watched)));
    Map<String, WhatIfReport> reports =
        checkingSplit(() -> report.of(tried.stream().map(Tried::variant).toList()));
    reports.values().forEach(whatIfReport -> caveats.add(whatIfReport.caveats()));
    Machine whole =
        tried.stream()
            .flatMap(attempt -> attempt.machine().stream())
            .findFirst()
            .orElse(asItIs.machine());
    stage.enter("writing the answer");
    return new EvaluatedQuestion(
        question, machine, layout, rules, before, after, reports, whole, caveats.list(), notes);
  }

  /** The machines of the job of a question, in rank order. */
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

  /** The XML content of each machine of a job by its file. */
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
    settings.values().keySet().forEach(PageEvaluator::requireNoFile);
    EnablingRules.check(rules.profile(), settings);
    return settings;
  }

  private static void requireNoFile(String setting) {
    if (FILE_SETTINGS.contains(setting)) {
      throw new SettingException(
          setting + ": the page reads no file that a setting names; use the command line");
    }
  }

  /** Parses the edits; their settings are checked like those of the job. */
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
        edited -> state.topology(edited.root(), rules.profile()));
  }

  private TimeResolver times(PageQuestion question) {
    TimeSpec usual = TimeSpec.USUAL;
    return new TimeResolver(
        question.network().map(name -> usual.withNetwork(network(name))).orElse(usual),
        inputs,
        note -> {});
  }

  /** Supplies the machines of a question by file, and caches topologies with all GPUs. */
  private record PageFiles(Function<Path, XmlDocument> contents, JobState state)
      implements HostFiles {
    @Override
    public XmlElement system(Path file) {
      return contents.apply(file).root();
    }

    @Override
    public Topology topology(Path file, GpuSelection gpus, NcclProfile profile) {
      return topology(system(file), gpus, profile);
    }

    @Override
    public Topology topology(XmlElement system, GpuSelection gpus, NcclProfile profile) {
      return gpus.equals(GpuSelection.ALL)
          ? state.topology(system, profile)
          : JobState.built(system, gpus, profile);
    }
  }

  /** A shipped calibration; other names are rejected, because they would name files. */
  private static TimeSpec.NamedFile network(String name) {
    if (!NetworkFile.SHIPPED.contains(name)) {
      throw FieldException.of(
          "network",
          "'%s': expected one of %s".formatted(name, String.join(", ", NetworkFile.SHIPPED)));
    }
    return new TimeSpec.NamedFile(name, Path.of(name));
  }

  /** The outcome of edits, with the edited machine if NCCL starts. */
  private record Tried(SplitReport.Variant variant, Optional<Machine> machine) {}

  /** Computes a value; a split that does not fit the job becomes an error of its field. */
  private static <T> T checkingSplit(Supplier<T> value) {
    try {
      return value.get();
    } catch (SpecException e) {
      throw e.field() == SpecField.SPLIT ? new FieldException("split", e) : e;
    }
  }

  private static Tried tried(
      List<Edit> edits, EditedMachine after, EditedJob job, JobEvaluator watched) {
    EditSet set = new EditSet(new EditSet("", edits).text(), edits);
    try {
      EditedJob.Prepared prepared = job.prepared(set.name(), after);
      return new Tried(
          new SplitReport.Variant(set, prepared.evaluated(watched), Optional.empty()),
          Optional.of(prepared.machine()));
    } catch (UnusableTopologyException e) {
      return new Tried(new SplitReport.Variant(set, List.of(), Optional.of(e)), Optional.empty());
    }
  }
}
