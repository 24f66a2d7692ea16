package dev.topo.accuracy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rings at work, event by event: every rank makes its steps in order, a step that needs data waits
 * until the rank before has sent it, and steps that send share the links fairly ({@link
 * FairShare}). There are no latencies: what comes out is what links and channels allow, for rings
 * that share links in any way. Takes time in the number of events times that of flows and links; it
 * is there to check closed forms. Used once.
 */
final class RingSimulation {
  private static final double BYTES_PER_US_TO_GBPS = 1e-3;

  /**
   * A step of every rank.
   *
   * @param channelGBps what a channel can do in it by itself
   * @param sends whether it sends to the next rank; the next step of that rank needs the data
   */
  public record Step(double channelGBps, boolean sends) {}

  private static final class Worker {
    private final int next;
    private final int[] links;
    private int step;
    private double left;

    Worker(int next, int[] links, double bytes) {
      this.next = next;
      this.links = links;
      this.left = bytes;
    }
  }

  private final FairShare shares;
  private final List<Step> steps;
  private final int total;
  private final double bytes;
  private final List<Worker> workers = new ArrayList<>();
  private final int[] prev;

  /**
   * Rings that all make the same steps.
   *
   * @param capacityGBps of each link, in one direction
   * @param rings for each channel and rank the links to the next rank; ranks of a channel stand in
   *     the order of its ring
   * @param steps the steps of a round
   * @param rounds how often they are made
   * @param bytes what a channel moves in a step
   */
  public RingSimulation(
      double[] capacityGBps, List<List<int[]>> rings, List<Step> steps, int rounds, double bytes) {
    this.shares = new FairShare(capacityGBps);
    this.steps = List.copyOf(steps);
    this.total = steps.size() * rounds;
    this.bytes = bytes;
    for (List<int[]> ring : rings) {
      int first = workers.size();
      for (int rank = 0; rank < ring.size(); rank++) {
        workers.add(new Worker(first + (rank + 1) % ring.size(), ring.get(rank), bytes));
      }
    }
    this.prev = new int[workers.size()];
    for (int w = 0; w < workers.size(); w++) {
      prev[workers.get(w).next] = w;
    }
  }

  /** Time until all ranks of all channels are done, in microseconds. */
  public double run() {
    double now = 0;
    while (true) {
      List<Integer> busy = new ArrayList<>();
      for (int w = 0; w < workers.size(); w++) {
        if (workers.get(w).step < total && hasData(w)) {
          busy.add(w);
        }
      }
      if (busy.isEmpty()) {
        return now;
      }
      double[] rates = rates(busy);
      double until = Double.POSITIVE_INFINITY;
      for (int b = 0; b < rates.length; b++) {
        until = Math.min(until, workers.get(busy.get(b)).left / rates[b]);
      }
      for (int b = 0; b < rates.length; b++) {
        Worker worker = workers.get(busy.get(b));
        worker.left -= until * rates[b];
        if (worker.left <= 1e-9 * bytes) {
          worker.step++;
          worker.left = bytes;
        }
      }
      now += until * BYTES_PER_US_TO_GBPS;
    }
  }

  /** The first step of a round needs nothing; any other what the rank before sent in its last. */
  private boolean hasData(int worker) {
    int step = workers.get(worker).step;
    return step % steps.size() == 0 || workers.get(prev[worker]).step >= step;
  }

  private double[] rates(List<Integer> busy) {
    List<int[]> flows = new ArrayList<>();
    double[] limits = new double[busy.size()];
    Arrays.setAll(limits, b -> stepOf(busy.get(b)).channelGBps());
    for (int worker : busy) {
      flows.add(stepOf(worker).sends() ? workers.get(worker).links : new int[0]);
    }
    return shares.rates(flows, limits);
  }

  private Step stepOf(int worker) {
    return steps.get(workers.get(worker).step % steps.size());
  }
}
