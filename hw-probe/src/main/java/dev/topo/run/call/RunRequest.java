package dev.topo.run.call;

import dev.topo.model.collective.DataType;
import dev.topo.model.collective.ReductionOperator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What one process is to run.
 *
 * @param collectives which, one after the other
 * @param sweep the sizes
 * @param types element types, one after the other
 * @param operators reduction operators, one after the other
 * @param root the root, or -1 for each rank in turn
 * @param repetition how often
 * @param average what becomes of the times of all processes
 * @param registration whether buffers are registered
 * @param threads host threads of this process, at least 1
 * @param gpusPerThread GPUs that each of them drives, at least 1
 * @param cpuTime whether the time is reported that the host needed to queue the calls
 * @param estimates whether NCCL is asked for its own estimate
 * @param memoryReport whether it is reported what memory was used
 * @param timeLimitSeconds after this time without progress a collective is ended; 0 is never
 * @param corruption what is falsified, to try the check
 */
public record RunRequest(
    List<RunCollective> collectives,
    SizeSweep sweep,
    List<DataType> types,
    List<ReductionOperator> operators,
    int root,
    Repetition repetition,
    Average average,
    Registration registration,
    int threads,
    int gpusPerThread,
    boolean cpuTime,
    boolean estimates,
    boolean memoryReport,
    int timeLimitSeconds,
    Optional<Corruption> corruption) {
  /** Checks the ranges and copies the lists. */
  public RunRequest {
    Objects.requireNonNull(sweep, "sweep");
    Objects.requireNonNull(repetition, "repetition");
    Objects.requireNonNull(average, "average");
    Objects.requireNonNull(registration, "registration");
    Objects.requireNonNull(corruption, "corruption");
    collectives = List.copyOf(collectives);
    types = List.copyOf(types);
    operators = List.copyOf(operators);
    if (collectives.isEmpty() || types.isEmpty() || operators.isEmpty()) {
      throw new IllegalArgumentException("expected a collective, a type and an operator");
    }
    if (threads < 1 || gpusPerThread < 1) {
      throw new IllegalArgumentException("threads and GPUs of a thread: expected at least 1");
    }
    if (root < -1 || timeLimitSeconds < 0) {
      throw new IllegalArgumentException(
          "root " + root + ", time limit " + timeLimitSeconds + ": expected a rank and seconds");
    }
  }

  /** GPUs of this process. */
  public int gpus() {
    return threads * gpusPerThread;
  }

  /** The same with other sizes. */
  public RunRequest withSweep(SizeSweep newSweep) {
    return new RunRequest(
        collectives,
        newSweep,
        types,
        operators,
        root,
        repetition,
        average,
        registration,
        threads,
        gpusPerThread,
        cpuTime,
        estimates,
        memoryReport,
        timeLimitSeconds,
        corruption);
  }

  /** The same, repeated otherwise. */
  public RunRequest withRepetition(Repetition newRepetition) {
    return new RunRequest(
        collectives,
        sweep,
        types,
        operators,
        root,
        newRepetition,
        average,
        registration,
        threads,
        gpusPerThread,
        cpuTime,
        estimates,
        memoryReport,
        timeLimitSeconds,
        corruption);
  }

  /** The same with other collectives. */
  public RunRequest withCollectives(List<RunCollective> newCollectives) {
    return new RunRequest(
        newCollectives,
        sweep,
        types,
        operators,
        root,
        repetition,
        average,
        registration,
        threads,
        gpusPerThread,
        cpuTime,
        estimates,
        memoryReport,
        timeLimitSeconds,
        corruption);
  }
}
