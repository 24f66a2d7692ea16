package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.terminal.Progress.Task;
import dev.topo.inspect.edit.EditSet;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.inspect.edit.NicPlacements;
import dev.topo.inspect.edit.PlacementSelection;
import dev.topo.model.job.SettingException;
import dev.topo.search.topology.NvlinkDomain;
import dev.topo.simulator.variant.EditedJob;
import dev.topo.simulator.variant.PlacementReport;
import dev.topo.simulator.variant.PlacementTrials;
import dev.topo.simulator.variant.Score.RankedPlacement;
import dev.topo.simulator.variant.WhatIfOutcome;
import dev.topo.visualizer.study.PlacementsOutput;
import dev.topo.visualizer.view.Answer;
import java.util.List;

/**
 * A job whose network cards are moved to other switches, for {@code topo whatif --all-placements}.
 *
 * @param stated the job as the user states it
 * @param calls the calls that rank the placements
 */
record PlacedJob(WhatifJob stated, RankedCalls calls) {
  /**
   * Evaluates the placements and lists them, the best first.
   *
   * @param requested edits to apply before the cards are moved; at most one variant
   * @param format name of the output format
   * @throws SettingException if there are several variants or several hosts
   */
  Answer of(List<EditSet> requested, EditedMachine before, EditedJob editedJob, String format) {
    refuseIf(requested.size() > 1, "--all-placements: expected EDITs or one variant, not several");
    refuseIf(
        NvlinkDomain.hasSeveralHosts(before.machine().root()),
        "--all-placements: expected a machine of one host, not an NVLink domain");
    EditedMachine start =
        requested.isEmpty() ? before : stated.edited(before, requested.get(0).edits());
    NicPlacements cards = new NicPlacements(start.machine(), stated.placements().perSwitch());
    PlacementSelection selection = cards.nearest(stated.placements().max());
    WhatIfOutcome unmoved = editedJob.communicators("", start).get(0).value();
    List<RankedPlacement> tried;
    try (Task task =
        stated.question().command().begin("placement", selection.placements().size())) {
      if (!selection.isAll()) {
        task.detail(() -> "the nearest of " + PlacementsOutput.different(selection));
      }
      tried =
          new PlacementTrials(editedJob, stated.applier(), stated.question().command().evaluator())
              .of(start, selection, calls.main(), task::next);
    }
    PlacementReport report =
        new PlacementReport(
            stated.name(),
            requested.isEmpty() ? "" : requested.get(0).text(),
            cards,
            selection,
            unmoved,
            tried,
            calls.main(),
            calls.ranking());
    return PlacementsOutput.in(
        format, report, stated.placements().top(), stated.question().isVerbose());
  }
}
