package dev.topo.simulator.timing;

import dev.topo.model.operation.Protocol;
import dev.topo.simulator.timing.TimeEstimate.KernelTime;
import java.util.List;
import java.util.Set;

/**
 * Times of the same calls with varying constants. Recomputes only what a changed constant affects:
 * a fit changes one constant at a time, and most constants affect the steps of one protocol or
 * none.
 */
public final class CallTimes {
  /** Placeholder for sends and receives, for which only the total time is stored. */
  private static final KernelTime NOT_STORED = new KernelTime(0, 0, 0, 0, 0);

  private final List<NodeCall> calls;
  private final TimingModel model;
  private final KernelTime[] kernels;
  private final double[] timesUs;

  /** Computes the times of calls with a model. */
  public CallTimes(List<? extends NodeCall> calls, TimingModel model) {
    this.calls = List.copyOf(calls);
    this.model = model;
    this.kernels = calls.stream().map(call -> kernel(call, model)).toArray(KernelTime[]::new);
    this.timesUs = new double[kernels.length];
    for (int c = 0; c < kernels.length; c++) {
      timesUs[c] = timeUs(calls.get(c), kernels[c], model);
    }
  }

  private CallTimes(CallTimes from, TimingModel model) {
    this.calls = from.calls;
    this.model = model;
    this.kernels = from.kernels.clone();
    this.timesUs = from.timesUs.clone();
    Set<Protocol> sameSteps = model.protocolsOf(from.model);
    for (int c = 0; c < kernels.length; c++) {
      if (calls.get(c) instanceof CallShape call) {
        boolean sameKernel = model.hasKernelOf(from.model, call, sameSteps);
        if (!sameKernel) {
          kernels[c] = model.kernel(call);
        }
        if (!sameKernel || !model.hasStartOf(from.model, call)) {
          timesUs[c] = model.timeUs(call, kernels[c]);
        }
      } else {
        timesUs[c] = model.timeUs(calls.get(c));
      }
    }
  }

  private static KernelTime kernel(NodeCall call, TimingModel model) {
    return call instanceof CallShape collective ? model.kernel(collective) : NOT_STORED;
  }

  private static double timeUs(NodeCall call, KernelTime kernel, TimingModel model) {
    return call instanceof CallShape collective
        ? model.timeUs(collective, kernel)
        : model.timeUs(call);
  }

  /** Times of the same calls with another model. */
  public CallTimes by(TimingModel other) {
    return new CallTimes(this, other);
  }

  /** Time of one of the calls in microseconds. */
  public double timeUs(int call) {
    return timesUs[call];
  }
}
