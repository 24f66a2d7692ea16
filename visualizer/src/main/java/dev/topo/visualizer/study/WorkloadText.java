package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.workload.GroupSpread;
import dev.topo.simulator.workload.JobAdvice;
import dev.topo.simulator.workload.SiteTitles;
import dev.topo.simulator.workload.Workload;
import dev.topo.simulator.workload.Workload.LateRank;
import dev.topo.simulator.workload.Workload.Step;
import dev.topo.simulator.workload.WorkloadChange;
import dev.topo.simulator.workload.WorkloadChange.ChangedCall;
import dev.topo.simulator.workload.WorkloadChange.StepTime;
import dev.topo.simulator.workload.WorkloadComparison;
import dev.topo.simulator.workload.WorkloadMemory;
import dev.topo.visualizer.report.WorkloadWords;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.BasisFooter;
import dev.topo.visualizer.view.Columns;
import dev.topo.visualizer.view.CompactTable;
import dev.topo.visualizer.view.OptionWords.Hint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * Writes the communication of a job as text: its step, its calls by site, and the ranks that arrive
 * late.
 */
public final class WorkloadText {
  /** Number of sites shown in the verbose form; the others are counted. */
  private static final int MAX_SITES_VERBOSE = 40;

  /** Number of sites that fit on a screen. */
  private static final int MAX_SITES = 12;

  private static final int MAX_LATE_RANKS = 5;

  private final WorkloadComparison comparison;
  private final boolean isVerbose;
  private final int maxSites;
  private final TextWriter out = new TextWriter();

  private WorkloadText(WorkloadComparison comparison, boolean isVerbose) {
    this.comparison = comparison.ofGroupKinds();
    this.isVerbose = isVerbose;
    this.maxSites = isVerbose ? MAX_SITES_VERBOSE : MAX_SITES;
  }

  /**
   * Returns the communication of a job.
   *
   * @param machines a description of its machines
   * @param place where its ranks run, in words
   * @param changes the effects of changes on the job
   * @param memory the memory that NCCL takes for its groups, if requested
   * @param isVerbose whether to show all columns and more calls
   */
  public static Answer of(
      String machines,
      String place,
      WorkloadComparison comparison,
      WorkloadChanges changes,
      Optional<WorkloadMemory> memory,
      boolean isVerbose) {
    WorkloadText text = new WorkloadText(comparison, isVerbose);
    text.heading(machines, place);
    SiteTitles titles = SiteTitles.of(text.comparison.calls());
    text.calls(titles);
    text.spreads(titles);
    text.agreement();
    text.late();
    memory.ifPresent(text::memory);
    changes.change().map(WorkloadChange::ofGroupKinds).ifPresent(text::change);
    changes.advice().ifPresent(advice -> JobAdviceOutput.write(text.out, advice, isVerbose));
    List<String> notes = new ArrayList<>(changes.advice().map(JobAdvice::notes).orElse(List.of()));
    memory.ifPresent(shown -> notes.addAll(shown.gaps()));
    text.basis(notes);
    return Answer.of(text.out);
  }

  private void heading(String machines, String place) {
    Workload workload = comparison.workload();
    out.line("%s: %s", machines, WorkloadWords.origin(workload, place));
    workload.step().ifPresent(this::step);
  }

  private void memory(WorkloadMemory memory) {
    out.line("\nmemory: %s", WorkloadWords.memory(memory));
    out.table(WorkloadFields.GROUP_MEMORY.shown(memory.groups()));
  }

  private void basis(List<String> ofAdvice) {
    List<String> lines = new ArrayList<>(comparison.workload().notes());
    lines.addAll(ofAdvice);
    lines.addAll(comparison.basis());
    BasisFooter.write(out, lines, isVerbose);
  }

  private void step(Step step) {
    out.line(
        "%s: communication %s, %s, %s%s",
        step.isMarked() ? "a step (mean of " + step.count() + ")" : "the whole trace",
        QuantityFormat.time(step.communicationUs()),
        step.exposedUs().isPresent()
            ? QuantityFormat.time(step.exposedUs()) + " of it exposed"
            : "how much of it is exposed is not known",
        waiting(step),
        step.timeUs() > 0 ? ", of " + QuantityFormat.time(step.timeUs()) : "");
  }

  private String waiting(Step step) {
    if (step.waitedUs().isEmpty()) {
      return "waiting for late ranks not known";
    }
    return (comparison.workload().hasUnmatched() ? "at least " : "")
        + QuantityFormat.time(step.waitedUs())
        + " waiting for late ranks";
  }

  private void calls(SiteTitles titles) {
    out.line("\ncalls, the largest total first");
    List<WorkloadFields.Call> calls = WorkloadFields.Call.of(comparison, List.of());
    List<WorkloadFields.Call> shown = calls.subList(0, Math.min(maxSites, calls.size()));
    Columns<WorkloadFields.Call> columns = WorkloadFields.Call.columns(titles, isVerbose);
    if (isVerbose) {
      out.table(columns.shown(shown));
    } else {
      columns.upTo(0).table(2, shown).write(out);
    }
    int more = calls.size() - shown.size();
    if (more > 0) {
      out.line(
          "  and %s more (%s)",
          QuantityFormat.count(more, "kind"), isVerbose ? Hint.AS_TABLE : Hint.LISTS_MORE);
    }
  }

  /** Writes a line for each call that runs in several groups, if there is any. */
  private void spreads(SiteTitles titles) {
    List<WorkloadFields.SiteSpread> spreads =
        comparison.calls().stream()
            .limit(maxSites)
            .flatMap(
                site ->
                    GroupSpread.of(site).stream()
                        .map(
                            spread -> new WorkloadFields.SiteSpread(titles.of(site), site, spread)))
            .toList();
    if (!spreads.isEmpty()) {
      out.line("\ngroups of one kind, by the median of each")
          .table(WorkloadFields.SPREAD.shown(spreads));
    }
  }

  private void agreement() {
    OptionalDouble median = comparison.errorOf(0.5);
    if (median.isPresent()) {
      out.line(
          "\n%d calls ran alone, all ranks traced: measured and expected times differ by %s in the median, by %s in 90 of 100",
          comparison.comparableCalls(),
          WorkloadWords.percent(median),
          WorkloadWords.percent(comparison.errorOf(0.9)));
    }
    if (comparison.knownChoices() > 0) {
      out.line(
          "channels and threads of the kernels: %d of %d kinds as expected",
          comparison.expectedChoices(), comparison.knownChoices());
    }
  }

  private void late() {
    List<LateRank> late = comparison.workload().late();
    if (!late.isEmpty()) {
      out.line(
          "others waited for %s",
          late.stream()
              .limit(MAX_LATE_RANKS)
              .map(
                  rank ->
                      "rank %s in %s (%s)"
                          .formatted(
                              rank.rank(),
                              QuantityFormat.count(rank.calls(), "call"),
                              QuantityFormat.time(rank.waitedUs())))
              .collect(Collectors.joining(", ")));
    }
  }

  private void refused(WorkloadChange change) {
    change
        .refusals()
        .forEach(
            (why, kinds) ->
                out.line("  %s (%s of calls)", why, QuantityFormat.count(kinds, "kind")));
    out.line(
        "  the job fails; communication of %s before: %s",
        WorkloadWords.whole(comparison.workload()),
        QuantityFormat.time(change.stepBefore().communicationUs()));
  }

  private void change(WorkloadChange change) {
    StepTime before = change.stepBefore();
    StepTime after = change.stepAfter();
    out.line("\nwith %s", change.title());
    if (!change.refusals().isEmpty()) {
      refused(change);
      return;
    }
    List<ChangedCall> changed = change.changedKinds();
    if (!changed.isEmpty()) {
      out.line(
          "  communication of %s: %s before, %s after (%s)%s",
          WorkloadWords.whole(comparison.workload()),
          QuantityFormat.time(before.communicationUs()),
          new StepRange(after).time(),
          new StepRange(after).range(),
          new StepRange(after)
              .exposed(
                  (was, now) -> "; exposed %s before, %s after".formatted(was, now),
                  before.exposedUs()));
    }
    if (change.unknown() > 0) {
      out.line(
          "  %s kept as measured: the model does not know them",
          QuantityFormat.count(change.unknown(), "kind") + " of calls");
    }
    if (change.withoutRange() > 0) {
      out.line(
          "  no range is known for the time of %s of calls after it",
          QuantityFormat.count(change.withoutRange(), "kind"));
    }
    CompactTable table = WorkloadFields.CHANGED.table(2, changed.stream().limit(maxSites).toList());
    if (table.size() > 0) {
      table.write(out);
    } else {
      out.line("  no expected time changes");
    }
  }
}
