package dev.topo.simulator.verdict;

import dev.topo.model.operation.Call;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.simulator.calibration.CalibrationChoice;
import dev.topo.simulator.calibration.OwnTimes;
import dev.topo.simulator.calibration.TimedCall;
import dev.topo.simulator.calibration.TimedCall.MeasuredCall;
import dev.topo.simulator.evaluate.CallPredictor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * The runs of nccl-tests whose times tell most of a job, most telling first. Each is of the
 * smallest, a middle and the largest size of an operation.
 *
 * @param nodes number of nodes
 * @param ranks number of ranks
 * @param before relative error that 90 of 100 times do not exceed without own times, in the median
 *     over the operations and sizes
 */
public record MeasurementPlan(int nodes, int ranks, double before, List<Step> steps) {
  /** Smallest size of a run in bytes. */
  public static final long LEAST_BYTES = 8;

  /** Largest size of a run in bytes. */
  public static final long MOST_BYTES = 2L << 30;

  /** Factor between the sizes of a run. */
  public static final long FACTOR = 1 << 14;

  private static final List<Operation> OPERATIONS =
      List.of(
          Collective.ALL_REDUCE,
          Collective.ALL_GATHER,
          Collective.REDUCE_SCATTER,
          Collective.BROADCAST,
          PeerOperation.ALLTOALL,
          PeerOperation.SENDRECV);

  /** Factor between the sizes that are to be predicted. */
  private static final int PREDICTED = 4;

  /**
   * A run.
   *
   * @param operation what is measured
   * @param after the error after this run and those before it
   */
  public record Step(Operation operation, double after) {}

  /** Copies the list. */
  public MeasurementPlan {
    steps = List.copyOf(steps);
  }

  /** The plan for a job. */
  public static MeasurementPlan of(CallPredictor job) {
    String machine = CalibrationChoice.of(job.communicator().job().first().topology()).machine();
    List<TimedCall> asked =
        OPERATIONS.stream().flatMap(one -> calls(job, one, PREDICTED).stream()).toList();
    List<Operation> open =
        new ArrayList<>(
            OPERATIONS.stream().filter(one -> !calls(job, one, FACTOR).isEmpty()).toList());
    List<MeasuredCall> known = new ArrayList<>();
    List<Step> steps = new ArrayList<>();
    double before = error(new OwnTimes(machine, known), asked);
    while (!open.isEmpty()) {
      List<MeasuredCall> measured = known;
      Step best =
          open.stream()
              .map(
                  one ->
                      new Step(one, error(new OwnTimes(machine, and(measured, job, one)), asked)))
              .min(Comparator.comparingDouble(Step::after))
              .orElseThrow();
      open.remove(best.operation);
      known = and(known, job, best.operation);
      steps.add(best);
    }
    return new MeasurementPlan(
        job.communicator().nNodes(), job.communicator().nRanks(), before, steps);
  }

  /** These calls and those of a run, whose times are as predicted. */
  private static List<MeasuredCall> and(
      List<MeasuredCall> known, CallPredictor job, Operation operation) {
    List<MeasuredCall> more = new ArrayList<>(known);
    calls(job, operation, FACTOR)
        .forEach(call -> more.add(new MeasuredCall(call, call.predictedUs())));
    return more;
  }

  private static List<TimedCall> calls(CallPredictor job, Operation operation, long factor) {
    return LongStream.iterate(LEAST_BYTES, size -> size <= MOST_BYTES, size -> size * factor)
        .mapToObj(size -> job.predict(Call.of(operation, size)))
        .flatMap(Optional::stream)
        .map(job::timed)
        .toList();
  }

  private static double error(OwnTimes times, List<TimedCall> asked) {
    return ErrorTable.Errors.of(asked, times::expectedPart).median();
  }
}
