package dev.topo.cli;

import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.log.RunOrigin;
import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.inspect.trace.RankTrace;
import dev.topo.inspect.trace.TracedGpu;
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
 * Compares what traces say of the machines that their job ran on with the machines that the user
 * states: its number of ranks, and the kind of its GPUs.
 *
 * @param traces the traces
 * @param job the machines
 * @param ranks ranks of the job, where its traces say; tables and communicators have a part of it
 */
record TracedPlace(List<RankTrace> traces, Job job, OptionalInt ranks) {
  /** The compute capability of a GPU whose file has none. */
  private static final int UNKNOWN = 0;

  /** Of some traces. */
  public static TracedPlace of(List<RankTrace> traces, Job job) {
    return new TracedPlace(
        traces,
        job,
        traces.stream()
            .filter(trace -> trace.times() == RankTrace.Times.START_AND_DURATION)
            .flatMapToInt(trace -> trace.worldSize().stream())
            .max());
  }

  /** The rules of the release that the traces name first; empty where none has rules. */
  static Optional<ReleaseRules> release(List<RankTrace> traces) {
    return traces.stream()
        .flatMap(trace -> trace.ncclVersion().stream())
        .findFirst()
        .flatMap(found -> RunOrigin.ofVersion(found).rules());
  }

  /**
   * The ranks of a job by its traces.
   *
   * @param otherwise where they do not say
   */
  static int worldSize(List<RankTrace> traces, int otherwise) {
    return traces.stream()
        .flatMapToInt(trace -> trace.worldSize().stream())
        .max()
        .orElse(otherwise);
  }

  /**
   * The calls of the job.
   *
   * @param file the trace that messages name
   * @param timeline receives the calls in time
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
   * Why the job cannot have run on these machines.
   *
   * @param least ranks that it has at least
   */
  private Optional<String> fault(int least) {
    if (least > job.nRanks()) {
      return Optional.of(
          "the job has %s ranks, --machine with --nodes has %s: expected as many nodes as the job"
              .formatted(least, job.nRanks()));
    }
    int last = job.machines().get(job.machines().size() - 1).nRanks();
    return unused() >= last && job.machines().size() > 1
        ? Optional.of(
            "the job has %s, --machine with --nodes has %s: expected as many nodes as the job, or with --gpus the GPUs of a node that it uses"
                .formatted(QuantityFormat.count(ranks.orElse(least), "rank"), job.nRanks()))
        : Optional.empty();
  }

  private int unused() {
    return ranks.isPresent() ? job.nRanks() - ranks.getAsInt() : 0;
  }

  /** Which GPUs the ranks are taken to be on; empty where they need all. */
  private Optional<String> note() {
    return unused() > 0
        ? Optional.of(
            "the job has %s, the machines %s GPUs: the ranks are taken to be on the first ones; --gpus names others"
                .formatted(QuantityFormat.count(ranks.getAsInt(), "rank"), job.nRanks()))
        : Optional.empty();
  }

  /**
   * That the traces are of other GPUs, whose times are not those of these machines.
   *
   * @param name the machines in words
   */
  public List<Caveat> caveats(String name) {
    Set<Integer> stated = new TreeSet<>();
    for (Machine machine : job.machines()) {
      machine.topology().gpus().stream().map(GpuNode::sm).forEach(stated::add);
    }
    String others =
        traces.stream()
            .flatMap(trace -> trace.gpu().stream())
            .filter(gpu -> !stated.contains(gpu.sm()) && !stated.contains(UNKNOWN))
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
                    .formatted(
                        others,
                        stated.stream().map(String::valueOf).collect(Collectors.joining(", "))),
                "give the topology of the machine that the job ran on (topo probe), and another one"
                    + " with --whatif 'machine FILE'"));
  }
}
