package dev.topo.simulator.evaluate;

import dev.topo.model.Topology;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.operation.Call;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.CalibrationChoice;
import dev.topo.simulator.calibration.CalibrationChoice.SelectedCalibration;
import dev.topo.simulator.network.ConcurrentGroups;
import dev.topo.simulator.network.Fabric;
import dev.topo.simulator.network.NetworkCalibration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A job to evaluate.
 *
 * @param job the machines in rank order, with the settings of their processes. NCCL_GRAPH_FILE
 *     gives graphs; NCCL_TOPO_FILE gives the topology that NCCL uses instead of the machine's,
 *     unless {@code actual} is present
 * @param profile the rules, which are those that the topologies of the job were built by
 * @param calls the calls to predict
 * @param selected the calibration; empty for the one that matches the actual machine
 * @param network the calibration of the network between nodes; empty for the one that matches the
 *     ports
 * @param fabric the switches between the nodes; empty if they are assumed not to limit
 * @param actual the actual machine, if the job has a declared topology that differs from it; used
 *     on one node only
 * @param concurrent communicators that make equal calls at the same time, including this one; empty
 *     if it runs alone
 * @param context how the calls are launched; a process has at most the GPUs of a node
 */
public record JobRequest(
    Job job,
    NcclProfile profile,
    List<Call> calls,
    Optional<SelectedCalibration> selected,
    Optional<NetworkCalibration> network,
    Optional<Fabric> fabric,
    Optional<Machine> actual,
    Optional<ConcurrentGroups> concurrent,
    CallContext context) {
  /** One process per GPU, the usual layout of launchers. */
  public static final int DEFAULT_GPUS_PER_PROCESS = 1;

  public JobRequest {
    calls = List.copyOf(calls);
  }

  /**
   * A job with the default rules, one process per GPU and the calibration that matches the machine.
   */
  public static JobRequest of(Job job, List<? extends Call> calls) {
    return of(job, NcclProfile.DEFAULT, calls);
  }

  /** A job with the rules that its topologies were built by. */
  public static JobRequest of(Job job, NcclProfile profile, List<? extends Call> calls) {
    return new JobRequest(
        job,
        profile,
        List.copyOf(calls),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        CallContext.USUAL);
  }

  /** This request for a changed job: other settings, the same nodes. */
  public JobRequest withJob(Job changed) {
    return new JobRequest(
        changed, profile, calls, selected, network, fabric, actual, concurrent, context);
  }

  /** This request for other calls. */
  public JobRequest withCalls(List<? extends Call> others) {
    return new JobRequest(
        job, profile, List.copyOf(others), selected, network, fabric, actual, concurrent, context);
  }

  /** This request with a calibration. */
  public JobRequest withCalibration(SelectedCalibration calibration) {
    return new JobRequest(
        job,
        profile,
        calls,
        Optional.of(calibration),
        network,
        fabric,
        actual,
        concurrent,
        context);
  }

  /** This request with a calibration of the network between nodes. */
  public JobRequest withNetwork(NetworkCalibration constants) {
    return new JobRequest(
        job, profile, calls, selected, Optional.of(constants), fabric, actual, concurrent, context);
  }

  /** This request with the switches between the nodes. */
  public JobRequest withFabric(Fabric switches) {
    return new JobRequest(
        job, profile, calls, selected, network, Optional.of(switches), actual, concurrent, context);
  }

  /** This request with another number of GPUs per process. */
  public JobRequest withGpusPerProcess(int count) {
    return withContext(context.withGpusPerProcess(count));
  }

  /** This request with an actual machine that differs from the declared one. */
  public JobRequest withActual(Optional<Machine> machine) {
    return new JobRequest(
        job, profile, calls, selected, network, fabric, machine, concurrent, context);
  }

  /** This request with calls launched differently. */
  public JobRequest withContext(CallContext other) {
    return new JobRequest(
        job, profile, calls, selected, network, fabric, actual, concurrent, other);
  }

  /** The actual machine; of several kinds, the one with the slowest constants. */
  Topology actualTopology() {
    return actualTopology(job, actual);
  }

  static Topology actualTopology(Job job, Optional<Machine> actual) {
    return actual.map(Machine::topology).orElseGet(() -> slowest(job).topology());
  }

  /** The machine of a job whose constants are the slowest. */
  static Machine slowest(Job job) {
    return Collections.min(
        job.kinds(), Comparator.comparing(Machine::topology, CalibrationChoice.SLOWEST_FIRST));
  }

  /** The calibration, with the reason for its choice. */
  public SelectedCalibration selectedCalibration() {
    return selected.orElseGet(() -> SelectedCalibration.byMachine(actualTopology()));
  }

  /** The constants; empty for NCCL's own model. */
  Optional<Calibration> calibration() {
    return selectedCalibration().calibration();
  }

  /**
   * How calls are made.
   *
   * @param gpusPerProcess GPUs that one process launches kernels for; 0 if calls are replayed from
   *     a CUDA graph
   * @param buffers the kind of registration of the buffers
   * @param groups communicators over the same GPUs that make equal calls at the same time, each on
   *     its own stream
   * @param launchUs time of the host to launch the kernel of one GPU, in microseconds; empty if
   *     unknown
   */
  public record CallContext(
      int gpusPerProcess, Buffers buffers, int groups, OptionalDouble launchUs) {
    /** One process per GPU, plain buffers, one communicator. */
    public static final CallContext USUAL =
        new CallContext(1, Buffers.PLAIN, 1, OptionalDouble.empty());

    public CallContext {
      if (gpusPerProcess < 0 || groups < 1) {
        throw new IllegalArgumentException(
            gpusPerProcess
                + " GPUs per process, expected 0 or more; "
                + groups
                + " groups at once, expected 1 or more");
      }
    }

    /** This context with another number of GPUs per process. */
    public CallContext withGpusPerProcess(int count) {
      return new CallContext(count, buffers, groups, launchUs);
    }

    /** This context with other buffers. */
    public CallContext withBuffers(Buffers kind) {
      return new CallContext(gpusPerProcess, kind, groups, launchUs);
    }

    /** This context with another number of groups. */
    public CallContext withGroups(int count) {
      return new CallContext(gpusPerProcess, buffers, count, launchUs);
    }

    /** This context with a known launch time. */
    CallContext withLaunchUs(double us) {
      return new CallContext(gpusPerProcess, buffers, groups, OptionalDouble.of(us));
    }
  }
}
