package dev.topo.visualizer.serve;

import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.MachineName;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.CommunicatorPredictions;
import dev.topo.simulator.evaluate.RankLayout;
import dev.topo.simulator.variant.WhatIfOutcome;
import dev.topo.simulator.variant.WhatIfReport;
import dev.topo.visualizer.study.WhatIfSentence;
import dev.topo.visualizer.times.PredictionSentence;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A question with its job evaluated before and after the edits.
 *
 * @param machine the machine of the question
 * @param layout the machines of the job in rank order
 * @param rules the rules of NCCL before the edits
 * @param before the machine and its settings before the edits
 * @param after the machine and its settings after the edits
 * @param reports the outcomes for each kind of communicator by its colours, in order; a single
 *     entry without a split. A report has no variant if there are no edits.
 * @param whole the edited machine with all its GPUs; the unedited one if NCCL does not start
 * @param caveats what is not modelled
 * @param notes notes on settings and machines, one sentence each
 */
record EvaluatedQuestion(
    PageQuestion question,
    ServedMachine machine,
    RankLayout layout,
    ReleaseRules rules,
    EditedMachine before,
    EditedMachine after,
    Map<String, WhatIfReport> reports,
    Machine whole,
    List<Caveat> caveats,
    List<String> notes) {
  EvaluatedQuestion {
    reports = Collections.unmodifiableMap(new LinkedHashMap<>(reports));
    caveats = List.copyOf(caveats);
    notes = List.copyOf(notes);
  }

  /** Returns this result for a question that differs only in the drawing. */
  EvaluatedQuestion asking(PageQuestion other) {
    return new EvaluatedQuestion(
        other, machine, layout, rules, before, after, reports, whole, caveats, notes);
  }

  /** The machines of the whole job in words. */
  String job() {
    return layout.domains().nameOf(layout.editable());
  }

  /** The name of the machine on which a rank of the shown communicator runs. */
  String machineOf(WhatIfOutcome outcome, int rank) {
    List<Machine> machines = outcome.result().request().job().machines();
    int index = 0;
    for (int next = machines.get(0).nRanks(); rank >= next; index++) {
      next += machines.get(index + 1).nRanks();
    }
    return MachineName.of(layout.editable().get(index));
  }

  /** The colours of the communicators that are shown. */
  String communicator() {
    return question
        .communicator()
        .filter(reports::containsKey)
        .orElseGet(() -> reports.keySet().iterator().next());
  }

  /** The outcomes of the communicators that are shown. */
  WhatIfReport report() {
    return Objects.requireNonNull(reports.get(communicator()));
  }

  /** The job after the edits, or unchanged if there are none; empty if NCCL would not start. */
  Optional<WhatIfOutcome> outcome() {
    WhatIfReport report = report();
    return report.variants().isEmpty()
        ? Optional.of(report.before())
        : report.variants().get(0).outcome();
  }

  /** The job that is shown: after the edits, or before them if NCCL does not start after. */
  WhatIfOutcome shown() {
    return outcome().orElse(report().before());
  }

  /** The machine and the settings of the job that is shown. */
  EditedMachine shownMachine() {
    return outcome().isPresent() ? after : before;
  }

  /** The rules after the edits. */
  ReleaseRules rulesAfter() {
    return after.nccl().orElse(rules);
  }

  /** The sentence of {@code topo whatif}; without edits, that of {@code topo predict}. */
  String verdict() {
    return verdict(communicator());
  }

  /** The sentence for some communicators. */
  String verdict(String colors) {
    WhatIfReport report = Objects.requireNonNull(reports.get(colors));
    return report.variants().isEmpty()
        ? PredictionSentence.of(
            CommunicatorPredictions.of(
                title(colors, report), report.before().result(), report.calls()))
        : WhatIfSentence.of(report);
  }

  /** The name of the machines before the edits, as in {@code topo memory}. */
  String title() {
    return title(communicator(), report());
  }

  /**
   * The machines in words; for a split, those of the communicator, worded as by {@code topo
   * predict}.
   */
  private String title(String colors, WhatIfReport report) {
    if (question.split().isEmpty()) {
      return report.job();
    }
    List<Integer> hosts =
        report.before().result().request().job().machines().stream()
            .map(edited -> edited.topology().nHosts())
            .toList();
    int all = hosts.stream().mapToInt(Integer::intValue).sum();
    String name = MachineName.of(Collections.nCopies(all, machine.file()));
    boolean isDomain = hosts.stream().anyMatch(count -> count > 1);
    return "communicator %s · %s%s"
        .formatted(
            colors,
            name,
            isDomain
                ? " in NVLink domains of "
                    + hosts.stream()
                        .distinct()
                        .map(String::valueOf)
                        .collect(Collectors.joining(","))
                : "");
  }
}
