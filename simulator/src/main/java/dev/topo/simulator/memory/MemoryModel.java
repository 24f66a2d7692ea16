package dev.topo.simulator.memory;

import dev.topo.model.Rounding;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.CallSizes;
import dev.topo.model.operation.Collective;
import dev.topo.search.connect.Connection;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.transfer.PeerPlanner;
import dev.topo.search.tuning.Communicator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Derives the memory that NCCL takes on each GPU and host, step by step. All ranks run the steps in
 * order, each rank in a process with one GPU. Run time is proportional to ranks, channels and
 * peers.
 *
 * @param communicator the communicator of the job
 * @param halves communicators of the even and the odd ranks; used only if a step splits the job
 *     into these
 */
public record MemoryModel(Communicator communicator, Supplier<List<Communicator>> halves) {
  /**
   * Default steps: one communicator, and its collectives of all usual sizes. Sends and receives and
   * further communicators take more memory, but many programs use neither.
   */
  public static List<MemoryStep> usualSteps() {
    return JobMemory.steps(
        Buffers.PLAIN,
        Call.ofEach(
            List.of(
                Collective.ALL_REDUCE,
                Collective.ALL_GATHER,
                Collective.REDUCE_SCATTER,
                Collective.BROADCAST),
            CallSizes.parse(CallSizes.USUAL)));
  }

  /** Memory of {@link #usualSteps}. */
  public MemoryAnswer usual() {
    return brief(usualSteps());
  }

  /** Settings that only this model covers. */
  public static Set<String> settings() {
    return MemorySettings.OWN;
  }

  /**
   * Memory that steps take, in order.
   *
   * @throws IllegalArgumentException if a step needs a communicator that no earlier step creates
   */
  public MemoryAnswer answer(List<MemoryStep> steps) {
    return new Run().answer(steps, false);
  }

  /**
   * The same, without calls that take no memory and are followed by another call of the same
   * collective.
   */
  public MemoryAnswer brief(List<MemoryStep> steps) {
    return new Run().answer(steps, true);
  }

  /** Memory of the job that the figures do not include, in words. */
  static List<String> omissions(Communicator communicator) {
    Connection connection = communicator.connection();
    MemorySettings settings = MemorySettings.of(connection.settings(), connection.profile());
    List<String> omissions = new ArrayList<>();
    if (connection.collNet().isPresent()) {
      omissions.add("buffers of in-network reduction (CollNet)");
    }
    if (settings.copiesPeers()) {
      omissions.add(
          "streams of NCCL_P2P_USE_CUDA_MEMCPY=1 (about 0.5 MiB of the GPU for each connection)");
    }
    if (settings.gdrCopy()) {
      omissions.add("flags that NCCL_GDRCOPY_ENABLE=1 has on the GPU, and the work FIFO there");
    }
    if (settings.setsStack()) {
      omissions.add("local memory of the largest kernel, for all by NCCL_SET_STACK_SIZE=1");
    }
    if (!settings.runtimeConnect()
        && settings.nvbPreconnect()
        && !PeerPlanner.covers(connection.profile())
        && connection.hasRelays()) {
      omissions.add("connections through another GPU that are made at init (NCCL_NVB_PRECONNECT)");
    }
    return omissions;
  }

  /** Parts of the job's figures that are not based on measurements, in words. */
  static List<String> gaps(Communicator communicator, LibraryBuild build) {
    Connection connection = communicator.connection();
    List<String> gaps = new ArrayList<>();
    if (!build.measured()) {
      gaps.add(
          "kernels, their context and their local memory are estimated from NCCL 2.28.9 on H100: not measured for this release or GPU");
    }
    if (connection.nvls().isSupported()) {
      gaps.add("memory of NVLS and its kernels is read from NCCL's source, not measured");
    }
    if (connection.nNodes() > 1) {
      gaps.add(
          "memory of connections between nodes was measured over sockets; over InfiniBand and with PXN it is read from NCCL's source");
    }
    return gaps;
  }

  /** Runs a job through its steps. An instance makes one run. */
  private final class Run {
    private final MemorySettings settings =
        MemorySettings.of(communicator.connection().settings(), communicator.profile());
    private final LibraryBuild build = LibraryBuild.of(communicator);
    private final RankMemory[] accounts = new RankMemory[communicator.connection().nRanks()];
    private final Map<MemoryStep.Group, List<GroupMemory>> groups =
        new EnumMap<>(MemoryStep.Group.class);

    Run() {
      Arrays.setAll(accounts, rank -> new RankMemory(build, settings.cuMem()));
    }

    MemoryAnswer answer(List<MemoryStep> steps, boolean isBrief) {
      List<StepMemory> answers = new ArrayList<>();
      for (int i = 0; i < steps.size(); i++) {
        MemoryStep step = steps.get(i);
        run(step);
        List<StepMemory> taken =
            IntStream.range(0, accounts.length)
                .mapToObj(rank -> new StepMemory(step, rank, accounts[rank].drain()))
                .toList();
        boolean isLast =
            i + 1 == steps.size() || !collective(step).equals(collective(steps.get(i + 1)));
        if (!isBrief || isLast || taken.stream().anyMatch(one -> !one.parts().isEmpty())) {
          answers.addAll(taken);
        }
      }
      return new MemoryAnswer(
          accounts.length,
          answers,
          build.measured(),
          Arrays.stream(accounts).map(RankMemory::multicastObjects).toList(),
          gaps(communicator, build),
          omissions(communicator));
    }

    private static Object collective(MemoryStep step) {
      return step instanceof MemoryStep.CollectiveStep call ? call.call().collective() : step;
    }

    private void run(MemoryStep step) {
      if (step instanceof MemoryStep.Init) {
        groups.put(
            MemoryStep.Group.JOB,
            List.of(initialized(communicator, all(), Links.create(accounts.length), true)));
      } else if (step instanceof MemoryStep.Split split) {
        groups.put(split.group(), split(split.group()));
      } else if (step instanceof MemoryStep.CollectiveStep call) {
        groups(call.group(), step).forEach(group -> group.call(call.call(), call.buffers()));
      } else if (step instanceof MemoryStep.PeerStep call) {
        groups(call.group(), step).forEach(group -> group.call(call.operation(), call.sizeBytes()));
      } else if (step instanceof MemoryStep.Allocation allocation) {
        for (RankMemory account : accounts) {
          account.add(
              "buffers of the application",
              MemoryPlace.GPU,
              allocation.count() * Rounding.up(allocation.sizeBytes(), RankMemory.GRAIN));
        }
      } else if (step == MemoryStep.OfBuffers.WINDOWS) {
        groups(MemoryStep.Group.JOB, step).forEach(GroupMemory::openWindows);
      }
    }

    private List<GroupMemory> groups(MemoryStep.Group group, MemoryStep step) {
      List<GroupMemory> found = groups.get(group);
      if (found == null) {
        String maker = group == MemoryStep.Group.JOB ? "init" : group.label();
        throw new IllegalArgumentException(
            "'%s': expected the step '%s' before".formatted(step.label(), maker));
      }
      return found;
    }

    private List<GroupMemory> split(MemoryStep.Group group) {
      Links[] parent = groups(MemoryStep.Group.JOB, new MemoryStep.Split(group)).get(0).links();
      boolean shares = settings.sharesSplits();
      if (group != MemoryStep.Group.SPLIT_HALVES) {
        return List.of(
            initialized(
                communicator, all(), shares ? parent : Links.create(accounts.length), !shares));
      }
      List<Communicator> found = halves.get();
      List<GroupMemory> both = new ArrayList<>();
      for (int half = 0; half < found.size(); half++) {
        int first = half;
        int[] ranks =
            IntStream.range(0, found.get(half).connection().nRanks())
                .map(rank -> first + found.size() * rank)
                .toArray();
        Links[] links =
            shares
                ? Arrays.stream(ranks).mapToObj(rank -> parent[rank]).toArray(Links[]::new)
                : Links.create(ranks.length);
        both.add(initialized(found.get(half), ranks, links, !shares));
      }
      return both;
    }

    private GroupMemory initialized(
        Communicator ofGroup, int[] ranks, Links[] links, boolean ownsResources) {
      GroupMemory group = new GroupMemory(ofGroup, settings, ranks, links, accounts, ownsResources);
      group.initialize();
      return group;
    }

    private int[] all() {
      return IntStream.range(0, accounts.length).toArray();
    }
  }
}
