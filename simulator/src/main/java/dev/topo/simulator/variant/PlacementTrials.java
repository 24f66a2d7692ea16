package dev.topo.simulator.variant;

import dev.topo.inspect.edit.EditApplier;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.inspect.edit.NicPlacement;
import dev.topo.inspect.edit.PlacementSelection;
import dev.topo.model.io.OrderedWork;
import dev.topo.model.operation.Call;
import dev.topo.search.engine.GraphSearch;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.variant.Score.RankedPlacement;
import java.util.ArrayList;
import java.util.List;

/**
 * Evaluates placements of network cards in a job, on all cores.
 *
 * @param job the job
 * @param applier moves the cards
 * @param evaluator evaluates the job; its searches are not monitored
 */
public record PlacementTrials(EditedJob job, EditApplier applier, JobEvaluator evaluator) {
  private record Trial(NicPlacement placement, EditedJob.Prepared job) {}

  /**
   * Evaluates the placements, in their order.
   *
   * @param start the unchanged machine
   * @param call the call that is scored
   * @param done called after each placement
   */
  public List<RankedPlacement> of(
      EditedMachine start, PlacementSelection selection, Call call, Runnable done) {
    JobEvaluator unwatched = evaluator.with(GraphSearch::findAll);
    List<RankedPlacement> tried = new ArrayList<>();
    OrderedWork.run(
        selection.placements().stream()
            .map(
                placement ->
                    new Trial(placement, job.prepared("", applier.apply(start, placement.moves()))))
            .iterator(),
        trial ->
            RankedPlacement.of(
                trial.placement(), trial.job().evaluated(unwatched).get(0).value(), call),
        ranked -> {
          tried.add(ranked);
          done.run();
        });
    return tried;
  }
}
