package dev.topo.inspect.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Assigns sends and receives to kernels. PyTorch launches one kernel for a group of sends and
 * receives; the trace does not name them in the kernel's event, but has a host event for each
 * before the launch.
 */
final class Exchanges {
  private record HostEvent(double timeUs, KernelEvent part) {}

  private record LaunchedKernel(double timeUs, int call) {}

  private final List<HostEvent> hostEvents = new ArrayList<>();
  private final List<LaunchedKernel> kernels = new ArrayList<>();
  private long[] correlations = new long[64];
  private double[] times = new double[64];
  private int nLaunches;
  private Map<Long, Double> launchTimes = Map.of();

  /** Adds the host event of a send or receive. */
  void addHostEvent(double timeUs, KernelEvent part) {
    hostEvents.add(new HostEvent(timeUs, part));
  }

  /** Adds the host event of a launch; the event of its kernel has the same correlation id. */
  void addLaunch(long correlation, double timeUs) {
    if (nLaunches == correlations.length) {
      correlations = Arrays.copyOf(correlations, 2 * nLaunches);
      times = Arrays.copyOf(times, 2 * nLaunches);
    }
    correlations[nLaunches] = correlation;
    times[nLaunches++] = timeUs;
  }

  /** Adds a kernel that sends and receives. All launches must have been added before. */
  void addKernel(long correlation, int call) {
    if (hostEvents.isEmpty()) {
      return;
    }
    if (launchTimes.isEmpty()) {
      launchTimes = new HashMap<>();
      for (int i = 0; i < nLaunches; i++) {
        launchTimes.put(correlations[i], times[i]);
      }
    }
    Double time = launchTimes.get(correlation);
    if (time != null) {
      kernels.add(new LaunchedKernel(time, call));
    }
  }

  /**
   * Returns the sends and receives of each kernel, by the index of its call: those with host events
   * since the previous launch.
   */
  Map<Integer, List<KernelEvent>> parts() {
    hostEvents.sort(Comparator.comparingDouble(HostEvent::timeUs));
    kernels.sort(Comparator.comparingDouble(LaunchedKernel::timeUs));
    Map<Integer, List<KernelEvent>> parts = new HashMap<>();
    int next = 0;
    for (LaunchedKernel kernel : kernels) {
      List<KernelEvent> launched = new ArrayList<>();
      for (; next < hostEvents.size() && hostEvents.get(next).timeUs <= kernel.timeUs; next++) {
        launched.add(hostEvents.get(next).part);
      }
      if (!launched.isEmpty()) {
        parts.put(kernel.call, launched);
      }
    }
    return parts;
  }
}
