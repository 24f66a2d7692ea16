package dev.topo.cli;

import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.log.RunOrigin;
import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.inspect.trace.RankTrace;
import dev.topo.inspect.trace.TracedGpu;
import dev.topo.model.Last;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.QuantityFormat;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.workload.CallSite;
import dev.topo.simulator.workload.CallTimeline;
import dev.topo.simulator.workload.TraceMerger;
import dev.topo.simulator.workload.Workload;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Compares the machines that the user states with the traces: the number of ranks of the job, and
 * the kind of its GPUs.
 *
 * @param traces the traces
 * @param job the machines
 * @param ranks number of ranks of the job, if the traces state it; tables and communicators contain
 *     only a part of the job
 */
record TracedPlace(List<RankTrace> traces, Job job, OptionalInt ranks) {
  /** Compute capability of a GPU whose file does not state it. */
  private static final int UNKNOWN = 0;

  /** Creates the comparison and determines the number of ranks from the traces. */
  static TracedPlace of(List<RankTrace> traces, Job job) {
    return new TracedPlace(
        traces,
        job,
        traces.stream()
            .filter(trace -> trace.times() == RankTrace.Times.START_AND_DURATION)
            .flatMapToInt(trace -> trace.worldSize().stream())
            .max());
  }

  /**
   * The rules of the first NCCL release that the traces name; empty if they name none, or one
   * without rules.
   */
  static Optional<ReleaseRules> release(List<RankTrace> traces) {
    return traces.stream()
        .flatMap(trace -> trace.ncclVersion().stream())
        .findFirst()
        .flatMap(found -> RunOrigin.ofVersion(found).rules());
  }

  /**
   * The number of ranks of a job, as its traces state it.
   *
   * @param otherwise the number if the traces do not state it
   */
  static int worldSize(List<RankTrace> traces, int otherwise) {
    return traces.stream()
        .flatMapToInt(trace -> trace.worldSize().stream())
        .max()
        .orElse(otherwise);
  }

  /**
   * Joins the traces and checks that the job fits the machines.
   *
   * @param file the trace that messages name
   * @param timeline receives the calls with their times
   * @throws TopologyFormatException if the job cannot have run on these machines
   */
  Workload workload(Path file, CallTimeline timeline) {
    int size = worldSize(traces, job.nRanks());
    fault(size)
        .ifPresent(
            fault -> {
              throw Subcommand.unusable(file, fault);
            });
    Workload joined = TraceMerger.join(traces, size, timeline);
    Workload workload = note().map(joined::with).orElse(joined);
    for (CallSite site : workload.sites()) {
      ProcessGroup group = site.kind().group();
      group.ranks().stream()
          .filter(rank -> rank >= job.nRanks())
          .findFirst()
          .ifPresent(
              rank -> {
                throw Subcommand.unusable(
                    file,
                    "group %s has rank %s, --machine with --nodes has %s: expected as many nodes as the job"
                        .formatted(group.title(), rank, job.nRanks()));
              });
    }
    if (workload.sites().isEmpty()) {
      throw new NothingFoundException(
          file + ": no call of NCCL in the traces, expected kernels of NCCL");
    }
    return workload;
  }

  /**
   * The reason why the job cannot have run on these machines; empty if it can.
   *
   * @param minimumRanks lower bound for the number of ranks of the job
   */
  private Optional<String> fault(int minimumRanks) {
    if (minimumRanks > job.nRanks()) {
      return Optional.of(
          "the job has %s ranks, --machine with --nodes has %s: expected as many nodes as the job"
              .formatted(minimumRanks, job.nRanks()));
    }
    int last = Last.of(job.machines()).nRanks();
    return unusedGpus() >= last && job.machines().size() > 1
        ? Optional.of(
            "the job has %s, --machine with --nodes has %s: expected as many nodes as the job, or with --gpus the GPUs of a node that it uses"
                .formatted(QuantityFormat.count(ranks.orElse(minimumRanks), "rank"), job.nRanks()))
        : Optional.empty();
  }

  private int unusedGpus() {
    return ranks.isPresent() ? job.nRanks() - ranks.getAsInt() : 0;
  }

  /** A note on the GPUs that the ranks are assumed to be on; empty if the job needs all GPUs. */
  private Optional<String> note() {
    return unusedGpus() > 0
        ? Optional.of(
            "the job has %s, the machines %s GPUs: the ranks are taken to be on the first ones; --gpus names others"
                .formatted(QuantityFormat.count(ranks.getAsInt(), "rank"), job.nRanks()))
        : Optional.empty();
  }

  /**
   * A caveat if the traces come from other GPUs than those of the machines, so that their times do
   * not compare.
   *
   * @param name name of the machines
   */
  List<Caveat> caveats(String name) {
    Set<Integer> statedSms = new TreeSet<>();
    for (Machine machine : job.machines()) {
      machine.topology().gpus().stream().map(GpuNode::sm).forEach(statedSms::add);
    }
    String others =
        traces.stream()
            .flatMap(trace -> trace.gpu().stream())
            .filter(gpu -> !statedSms.contains(gpu.sm()) && !statedSms.contains(UNKNOWN))
            .map(TracedGpu::label)
            .distinct()
            .collect(Collectors.joining(", "));
    return others.isEmpty()
        ? List.of()
        : List.of(
            new Caveat(
                "traced-gpu",
                name,
                "the traces are of %s, the machine has GPUs of sm %s: expected times and choices are those of other GPUs"
                    .formatted(others, QuantityFormat.joined(", ", statedSms, String::valueOf)),
                "give the topology of the machine that the job ran on (topo probe), and another one"
                    + " with --whatif 'machine FILE'"));
  }
}
