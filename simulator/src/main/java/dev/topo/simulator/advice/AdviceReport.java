package dev.topo.simulator.advice;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.evaluate.CommunicatorPredictions;
import dev.topo.simulator.evaluate.JobResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Advice with the texts to show with it.
 *
 * @param title names of the machines of the job
 * @param tunerFile contents of the file for the tuner plugin that the plan needs; empty if it needs
 *     none
 */
public record AdviceReport(String title, Advice advice, String tunerFile) {
  /** Finds the advice on calls. */
  public static AdviceReport of(String title, Adviser adviser, List<Call> calls) {
    Advice advice = adviser.advise(calls);
    return new AdviceReport(title, advice, PlanTuner.file(adviser, advice.plan()));
  }

  /** True if an alternative is faster than NCCL's own choices. */
  public boolean isAdvised() {
    return advice.graph().filter(BetterGraph.class::isInstance).isPresent()
        || advice.calls().stream().anyMatch(CallAdvice::isAdvised);
  }

  /** The job as it is, as a forecast without calls for the heading. */
  public CommunicatorPredictions forecast() {
    return new CommunicatorPredictions(title, advice.now(), List.of(), List.of());
  }

  /** The job as it is. */
  public JobResult now() {
    return advice.now();
  }

  /** The settings that the job has. */
  public NcclSettings ownSettings() {
    return now().request().job().settings();
  }

  /** Number of ranks of the job. */
  public int nRanks() {
    return now().communicator().nRanks();
  }

  /**
   * The caveats of the forecast and, if gains were not measured on such jobs, that of the gains.
   */
  public List<String> caveats() {
    List<String> caveats = new ArrayList<>(forecast().caveats());
    ofGains(now(), advice.gains()).ifPresent(caveats::add);
    return caveats;
  }

  /**
   * Describes why the gains of a job are less certain than those that were measured; empty if they
   * were measured on such jobs.
   */
  public static Optional<String> ofGains(JobResult now, GainFinder gains) {
    if (now.communicator().nNodes() > 1) {
      return Optional.of(
          "between nodes no gain of a setting was compared with a measurement: nothing is advised");
    }
    if (now.predictor().calibration().isEmpty()) {
      return Optional.of("without a calibration nothing is advised: topo calibrate creates one");
    }
    if (!gains.isMeasured()) {
      return Optional.of(
          "gains were measured on 2 H200 (sm 90, NVSwitch) only, with NCCL "
              + KnownGain.NCCL
              + " and a process for each GPU: here they rest on calibration "
              + now.predictor().calibration().get().name()
              + ", and their range is what the ranges of both times leave; measure before you use them");
    }
    return Optional.empty();
  }

  /**
   * Commands that measure uncertain gains on this machine, one for each setup; none between nodes,
   * or if gains were measured on such jobs.
   */
  public List<String> tries() {
    boolean isOneNode = now().communicator().nNodes() == 1;
    if (advice.gains().isMeasured() || !isOneNode || advice.calls().isEmpty()) {
      return List.of();
    }
    Operation operation = advice.calls().get(0).call().operation();
    return advice.tries().stream()
        .map(setup -> Check.of(operation, setup, ownSettings(), nRanks()))
        .toList();
  }

  /** Settings whose effect is measured but not predicted, so that they are never advised. */
  public List<MeasuredSetting> notAdvised() {
    return MeasuredSetting.all();
  }
}
