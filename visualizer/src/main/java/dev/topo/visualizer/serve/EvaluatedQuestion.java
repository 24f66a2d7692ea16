package dev.topo.visualizer.serve;

import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.MachineName;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.Forecast;
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
 * A question with the job before and after its edits.
 *
 * @param machine the machine of the question
 * @param layout the machines of the job in rank order
 * @param rules the rules of NCCL before the edits
 * @param before the machine and its settings before the edits
 * @param after the same after the edits
 * @param reports the outcomes of each kind of communicator by their colours, in order; one without
 *     a split; without a variant if there are no edits
 * @param whole the edited machine with all its GPUs, as it is if NCCL does not start
 * @param caveats what is not modelled
 * @param notes notes on settings and machines, a sentence each
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

  /** This result for a question that differs only in the drawing. */
  EvaluatedQuestion asking(PageQuestion other) {
    return new EvaluatedQuestion(
        other, machine, layout, rules, before, after, reports, whole, caveats, notes);
  }

  /** The machines of the whole job in words. */
  String job() {
    return layout.domains().nameOf(layout.editable());
  }

  /** The name of the machine of a rank of the communicators that are shown. */
  String machineOf(WhatIfOutcome outcome, int rank) {
    List<Machine> machines = outcome.result().request().job().machines();
    int at = 0;
    for (int next = machines.get(0).nRanks(); rank >= next; at++) {
      next += machines.get(at + 1).nRanks();
    }
    return MachineName.of(layout.editable().get(at));
  }

  /** The communicators that are shown, by their colours. */
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

  /** The job after the edits, or as it is without any; empty where NCCL would not start. */
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

  /** The answer about communicators in one sentence. */
  String verdict(String shown) {
    WhatIfReport report = Objects.requireNonNull(reports.get(shown));
    return report.variants().isEmpty()
        ? PredictionSentence.of(forecast(shown, report))
        : WhatIfSentence.of(report);
  }

  /** Name of the machines before the edits, as {@code topo memory} has it. */
  String title() {
    return title(communicator(), report());
  }

  /** The machines in words, of a split those of the communicator as {@code topo predict} has. */
  private String title(String shown, WhatIfReport report) {
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
            shown,
            name,
            isDomain
                ? " in NVLink domains of "
                    + hosts.stream()
                        .distinct()
                        .map(String::valueOf)
                        .collect(Collectors.joining(","))
                : "");
  }

  private Forecast forecast(String shown, WhatIfReport report) {
    return Forecast.of(title(shown, report), report.before().result(), report.calls());
  }
}
