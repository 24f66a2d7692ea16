package dev.topo.simulator.advice;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.evaluate.Forecast;
import dev.topo.simulator.evaluate.JobResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Advice with its texts.
 *
 * @param title name of the machines of the job
 * @param tunerFile the file of the tuner plugin that the plan needs; empty if it needs none
 */
public record AdviceReport(String title, Advice advice, String tunerFile) {
  /** The advice on some calls. */
  public static AdviceReport of(String title, Adviser adviser, List<Call> calls) {
    Advice advice = adviser.advise(calls);
    return new AdviceReport(title, advice, PlanTuner.file(adviser, advice.plan()));
  }

  /** True if an alternative is faster than NCCL's own choices. */
  public boolean isAdvised() {
    return advice.graph().filter(BetterGraph.class::isInstance).isPresent()
        || advice.calls().stream().anyMatch(CallAdvice::isAdvised);
  }

  /** The forecast of the job as it is, for its heading. */
  public Forecast forecast() {
    return new Forecast(title, advice.now(), List.of(), List.of());
  }

  /** The job as it is. */
  public JobResult now() {
    return advice.now();
  }

  /** The settings that the job has. */
  public NcclSettings ownSettings() {
    return now().request().job().settings();
  }

  /** Ranks of the job. */
  public int nRanks() {
    return now().communicator().facts().nRanks();
  }

  /** The job, if gains were not measured on such jobs. */
  public List<String> caveats() {
    List<String> caveats = new ArrayList<>(forecast().caveats());
    ofGains(now(), advice.gains()).ifPresent(caveats::add);
    return caveats;
  }

  /** The difference between a job and those on which gains were measured; empty without one. */
  public static Optional<String> ofGains(JobResult now, GainFinder gains) {
    if (now.communicator().facts().nNodes() > 1) {
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
   * Commands that measure unknown gains on this machine, one for each setup; none if gains were
   * measured on such jobs.
   */
  public List<String> tries() {
    boolean isOneNode = now().communicator().facts().nNodes() == 1;
    if (advice.gains().isMeasured() || !isOneNode || advice.calls().isEmpty()) {
      return List.of();
    }
    Operation operation = advice.calls().get(0).call().operation();
    return advice.tries().stream()
        .map(setup -> Check.of(operation, setup, ownSettings(), nRanks()))
        .toList();
  }

  /** Settings without predictions, with their measured effects. */
  public List<MeasuredSetting> notAdvised() {
    return MeasuredSetting.all();
  }
}
