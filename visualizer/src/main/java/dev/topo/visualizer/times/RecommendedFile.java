package dev.topo.visualizer.times;

import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Call.CallSizes;
import dev.topo.model.operation.Collective;
import dev.topo.simulator.evaluate.CommunicatorPredictions;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.RecommendedRules;
import dev.topo.simulator.evaluate.RecommendedRules.Recommendation;
import dev.topo.visualizer.view.Answer;
import java.util.List;
import java.util.function.Consumer;

/**
 * A file with recommended choices for NCCL's tuner plugin.
 *
 * @param result the job
 * @param collectives the collectives that get rules
 * @param notes receives what the file lacks and what it is based on, one line each
 */
public record RecommendedFile(
    JobResult result, List<Collective> collectives, Consumer<String> notes) {
  /** Returns the rules that follow from the predictions for the job. */
  public Answer ofPredictions(String title) {
    new CommunicatorPredictions(title, result, List.of(), List.of())
        .caveats()
        .forEach(caveat -> notes.accept("note: " + caveat));
    if (result.predictor().calibration().isEmpty() || result.communicator().nNodes() > 1) {
      notes.accept("note: no calibration for this job: the file contains NCCL's own choices");
    } else {
      collectives.forEach(this::noteNotComparable);
    }
    return of(Recommendation.of(result.predictor()));
  }

  /** Returns the rules of a recommendation, such as one based on measurements. */
  public Answer of(Recommendation recommendation) {
    String rules = RecommendedRules.of(result.communicator(), collectives, recommendation).write();
    if (collectives.size() < Collective.values().length) {
      notes.accept(
          "the file has no rule for other collectives: NCCL's plugin runs these on one channel");
    }
    return Answer.of(rules);
  }

  /**
   * Notes the sizes at which the file keeps NCCL's choice because the alternatives cannot be
   * compared with it.
   */
  private void noteNotComparable(Collective collective) {
    List<Long> sizes =
        RecommendedRules.notComparable(
            result.predictor(), collective, CallSizes.parse(CallSizes.USUAL));
    if (!sizes.isEmpty()) {
      notes.accept(
          "note: %s: at %s not all pairs are comparable, as only some are calibrated: none of the others is recommended"
              .formatted(
                  collective.label(), QuantityFormat.joined(", ", sizes, QuantityFormat::size)));
    }
  }
}
