package dev.topo.simulator.diagnosis;

import dev.topo.inspect.edit.EditApplier;
import dev.topo.inspect.edit.EditParser;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.topology.TopologySource.UnknownElements;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.timing.TimeEstimate;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * Writes what nccl-tests would print on a machine with a fault. The machine is not that of the
 * predictions: latencies and bandwidths are other by seeded factors, as on another cluster, times
 * have noise, and some are outliers.
 *
 * @param machine file name of a shipped machine
 * @param nodes number of nodes
 * @param gpu what nccl-tests prints of a GPU
 * @param fault edits of the job
 * @param world what happens beyond that
 */
record PlantedRun(String machine, int nodes, String gpu, String fault, World world) {
  private static final Path MACHINES = Path.of(System.getProperty("topo.root"), "topologies");

  /** For each thread: tests run at the same time, and predictors keep what they have found. */
  private static final ThreadLocal<Map<String, CallPredictor>> PREDICTORS =
      ThreadLocal.withInitial(HashMap::new);

  /**
   * The differences from the predicted times.
   *
   * @param noise standard deviation of each time
   * @param onNetwork how many times longer data is on its way between nodes
   * @param jitter standard deviation of that, call by call
   * @param launchUs time that the CPU needs for a call
   * @param differs how much latencies and bandwidths differ, a standard deviation
   */
  record World(double noise, double onNetwork, double jitter, double launchUs, double differs) {
    static World usual(double noise) {
      return new World(noise, 1, 0, 0, 1);
    }
  }

  Path file() {
    return MACHINES.resolve(machine + ".xml");
  }

  private CallPredictor predictor(String edits) {
    return PREDICTORS
        .get()
        .computeIfAbsent(
            machine + " " + nodes + " " + edits,
            key -> {
              EditedMachine edited =
                  new EditApplier(file -> new XmlReader().read(file, new Inputs()), document -> {})
                      .apply(
                          EditedMachine.of(
                              new XmlReader().read(file(), new Inputs()), NcclSettings.DEFAULTS),
                          EditParser.parse(edits, "planted"));
              ReleaseRules rules = edited.nccl().orElse(ReleaseRules.DEFAULT);
              Machine node =
                  new Machine(
                      new TopologyReader(UnknownElements.IGNORED, rules.profile())
                          .map(edited.machine(), GpuSelection.ALL, new Diagnostics()),
                      edited.settings());
              return new JobEvaluator()
                  .evaluate(JobRequest.of(Job.ofEqual(node, nodes), rules.profile(), List.of()))
                  .predictor();
            });
  }

  /** What nccl-tests prints, one run for each collective. */
  String text(long seed, List<Collective> collectives, long least, long most) {
    Random random = new Random(seed);
    double latency = Math.exp(world.differs() * 0.15 * random.nextGaussian());
    double bandwidth = Math.exp(world.differs() * 0.05 * random.nextGaussian());
    StringBuilder text = new StringBuilder();
    for (Collective collective : collectives) {
      heading(text, collective, least, most);
      for (long size = least; size <= most; size *= 2) {
        double out = timeUs(random, collective, size, false, latency, bandwidth);
        double in = timeUs(random, collective, size, true, latency, bandwidth);
        text.append(
            String.format(
                Locale.ROOT,
                "%12d %12d     float     sum      -1 %s      0 %s      0%n",
                size,
                size / 4,
                cells(collective, size, out),
                cells(collective, size, in)));
      }
      text.append("# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 0\n#\n");
    }
    return text.toString();
  }

  private int ranks() {
    return predictor(fault).planner().communicator().facts().nRanks();
  }

  private void heading(StringBuilder text, Collective collective, long least, long most) {
    text.append("# nccl-tests version 2.17.6 nccl-headers=22809 nccl-library=22809\n");
    text.append("# Collective test starting: ")
        .append(collective.ncclTestsName())
        .append("_perf\n");
    text.append(
        "# nThread 1 nGpus 1 minBytes %d maxBytes %d step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0\n#\n# Using devices\n"
            .formatted(least, most));
    int perNode = ranks() / nodes;
    for (int rank = 0; rank < ranks(); rank++) {
      text.append(
          "#  Rank %2d Group  0 Pid %6d on     node%02d device %2d [0000:%02x:00] %s\n"
              .formatted(
                  rank, 1000 + rank, rank / perNode, rank % perNode, 16 + rank % perNode, gpu));
    }
    text.append(
        "#\n"
            + "#       size         count      type   redop    root     time   algbw   busbw #wrong"
            + "     time   algbw   busbw #wrong\n");
  }

  private String cells(Collective collective, long size, double timeUs) {
    return String.format(
        Locale.ROOT,
        "%8.2f %7.3f %7.3f",
        timeUs,
        size / timeUs / 1e3,
        collective.busbwGBps(size, Math.round(timeUs * 100) / 100.0, ranks()));
  }

  private double timeUs(
      Random random,
      Collective collective,
      long size,
      boolean inPlace,
      double latency,
      double bandwidth) {
    CollectivePrediction prediction =
        predictor(fault).predict(CollectiveCall.of(collective, size), inPlace).orElseThrow();
    TimeEstimate time = prediction.estimate();
    double network =
        prediction.source() == Prediction.Source.NETWORK
            ? world.onNetwork() * Math.exp(world.jitter() * random.nextGaussian())
            : 1;
    double latencies = prediction.timeUs() - time.fillUs() - time.transferUs();
    double kernelUs =
        latencies * latency
            + (time.fillUs() + time.transferUs()) / bandwidth * Math.max(1, network);
    double noise = Math.exp(world.noise() * random.nextGaussian());
    double outlier = random.nextInt(40) == 0 ? 1.3 + random.nextDouble() : 1;
    return (Math.max(kernelUs, world.launchUs()) + 0.1 * world.launchUs()) * noise * outlier;
  }
}
