package dev.topo.inspect.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the sends and receives of a kernel that PyTorch launches for a group of them: the trace
 * does not name its calls, but has host events before its launch.
 */
final class Exchanges {
  private record Note(double timeUs, KernelEvent part) {}

  private record Launched(double timeUs, int call) {}

  private final List<Note> notes = new ArrayList<>();
  private final List<Launched> kernels = new ArrayList<>();
  private long[] correlations = new long[64];
  private double[] times = new double[64];
  private int launches;
  private Map<Long, Double> timeOf = Map.of();

  /** Adds a send or receive on the host. */
  void noted(double timeUs, KernelEvent part) {
    notes.add(new Note(timeUs, part));
  }

  /** Adds a launch on the host, whose kernel has the same correlation. */
  void launched(long correlation, double timeUs) {
    if (launches == correlations.length) {
      correlations = Arrays.copyOf(correlations, 2 * launches);
      times = Arrays.copyOf(times, 2 * launches);
    }
    correlations[launches] = correlation;
    times[launches++] = timeUs;
  }

  /** Adds a kernel that sends and receives, after all launches were added. */
  void add(long correlation, int call) {
    if (notes.isEmpty()) {
      return;
    }
    if (timeOf.isEmpty()) {
      timeOf = new HashMap<>();
      for (int i = 0; i < launches; i++) {
        timeOf.put(correlations[i], times[i]);
      }
    }
    Double time = timeOf.get(correlation);
    if (time != null) {
      kernels.add(new Launched(time, call));
    }
  }

  /** Parts of each kernel, by its call: the host events since the previous launch. */
  Map<Integer, List<KernelEvent>> parts() {
    notes.sort(Comparator.comparingDouble(Note::timeUs));
    kernels.sort(Comparator.comparingDouble(Launched::timeUs));
    Map<Integer, List<KernelEvent>> parts = new HashMap<>();
    int next = 0;
    for (Launched kernel : kernels) {
      List<KernelEvent> launched = new ArrayList<>();
      for (; next < notes.size() && notes.get(next).timeUs <= kernel.timeUs; next++) {
        launched.add(notes.get(next).part);
      }
      if (!launched.isEmpty()) {
        parts.put(kernel.call, launched);
      }
    }
    return parts;
  }
}
