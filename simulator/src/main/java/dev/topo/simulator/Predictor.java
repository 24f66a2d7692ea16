package dev.topo.simulator;

import dev.topo.model.collective.Algorithm;
import dev.topo.model.collective.Protocol;
import dev.topo.search.tuning.CollectiveCall;
import dev.topo.simulator.timing.CallShape;
import dev.topo.simulator.timing.TimingModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Tells what calls of a communicator take, and which algorithm and protocol would be best. */
public final class Predictor {
  /**
   * How much better than NCCL's choice another must be to be recommended: below this the model
   * cannot tell them apart, and single measurements cannot either.
   */
  private static final double WORTH_CHANGING = 0.03;

  private final CallPlanner planner;
  private final TimingModel model;

  /** A predictor of the calls that a planner lays out, with the constants of a model. */
  public Predictor(CallPlanner planner, TimingModel model) {
    this.planner = planner;
    this.model = model;
  }

  /** What a call takes by NCCL's choice. */
  public Optional<Prediction> predict(CollectiveCall call, boolean inPlace) {
    return planner.chosen(call, inPlace).map(shape -> prediction(call, shape));
  }

  /** What a call takes by an algorithm and protocol. */
  public Optional<Prediction> predict(
      CollectiveCall call, Algorithm algorithm, Protocol protocol, boolean inPlace) {
    return planner.forced(call, algorithm, protocol, inPlace).map(shape -> prediction(call, shape));
  }

  /** What a call takes by each algorithm and protocol that NCCL can use, in NCCL's order. */
  public List<Prediction> predictEach(CollectiveCall call, boolean inPlace) {
    List<Prediction> each = new ArrayList<>();
    for (Algorithm algorithm : Algorithm.values()) {
      for (Protocol protocol : Protocol.values()) {
        predict(call, algorithm, protocol, inPlace).ifPresent(each::add);
      }
    }
    return each;
  }

  /**
   * What to run: the fastest, or NCCL's choice where nothing is faster by more than the model can
   * tell.
   */
  public Optional<Prediction> best(CollectiveCall call, boolean inPlace) {
    Optional<Prediction> chosen = predict(call, inPlace);
    Optional<Prediction> fastest =
        predictEach(call, inPlace).stream().min(Comparator.comparingDouble(Prediction::timeUs));
    boolean keep =
        chosen.isPresent()
            && fastest.isPresent()
            && chosen.get().timeUs() <= fastest.get().timeUs() * (1 + WORTH_CHANGING);
    return keep ? chosen : fastest;
  }

  private Prediction prediction(CollectiveCall call, CallShape shape) {
    return new Prediction(call, shape, model.estimate(shape), model.calibration().spread());
  }
}
