package dev.topo.simulator.evaluate;

import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.model.io.SpecField;
import dev.topo.model.job.SpecException;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Operation;
import dev.topo.search.connect.Connection;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.tuning.Communicator;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.network.Fabric;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Connection, choices and times of a job.
 *
 * @param request the job; with the declared topologies if NCCL_TOPO_FILE names any
 * @param communicator the connection of its ranks, with their graphs, and the choices for calls
 * @param predictor predicts further calls of the job
 * @param predictions the times of the requested calls by NCCL's choice, without calls that NCCL
 *     refuses
 */
public record JobResult(
    JobRequest request,
    Communicator communicator,
    CallPredictor predictor,
    Map<Call, Prediction> predictions) {
  public JobResult {
    predictions = Collections.unmodifiableMap(new LinkedHashMap<>(predictions));
  }

  /**
   * Prediction of a call with NCCL's choice; empty if NCCL refuses it, if nothing is sent, or if no
   * model covers it.
   */
  public Optional<Prediction> predict(Call call) {
    return predictor.predict(call);
  }

  /** The same communicator with other places of its nodes between switches; without calls. */
  public JobResult on(Fabric switches) {
    CallPredictor moved =
        CallPredictor.of(
            predictor.planner(),
            request.calibration(),
            predictor.network().map(NetworkPredictor::calibration),
            Optional.of(switches),
            request.selectedCalibration().own());
    return new JobResult(request.withFabric(switches), communicator, moved, Map.of());
  }

  /** The limits of the model for calls of some operations. */
  public List<Caveat> caveats(Collection<? extends Operation> operations) {
    return CaveatFinder.ofCalls(
        request.profile(), operations, request.context().buffers() == Buffers.SYMMETRIC);
  }

  /** Time of a collective by NCCL's choice, of those that were requested. */
  public Optional<CollectivePrediction> prediction(CollectiveCall call) {
    return Optional.ofNullable((CollectivePrediction) predictions.get(call));
  }

  /** The nodes of the job and the position of every rank in every channel. */
  public Connection connection() {
    return communicator.connection();
  }

  /**
   * This result, if the rules cover the buffers of the calls.
   *
   * @throws SpecException if they do not
   */
  public JobResult requireKnownBuffers() {
    Buffers buffers = request.context().buffers();
    buffers
        .unknown(communicator.profile())
        .ifPresent(
            why -> {
              throw new SpecException(SpecField.BUFFERS, " %s: %s", buffers.label(), why);
            });
    return this;
  }
}
