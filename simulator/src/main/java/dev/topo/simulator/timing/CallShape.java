package dev.topo.simulator.timing;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import java.util.List;
import java.util.Locale;

/**
 * The launch parameters of one call on one node that determine its time.
 *
 * @param algorithm Ring, Tree or NVLS
 * @param inPlace whether the call works in one buffer; false where that makes no difference
 * @param gpusPerProcess GPUs whose kernels one process launches one after the other; 0 where a CUDA
 *     graph holds them
 * @param channels channels that the call runs on
 * @param threads threads of each channel
 * @param shareBytes the most that one channel gets of the count of the call
 * @param chunkBytes what a channel moves in one step at most
 * @param route how the hops share links
 * @param registered whether NCCL has registered the user's buffers, as it does for CUDA graphs, so
 *     that kernels by Simple may write into those of other ranks
 * @param dataType what is reduced; {@link DataType#FLOAT32} where nothing is
 */
public record CallShape(
    Collective collective,
    Algorithm algorithm,
    Protocol protocol,
    boolean inPlace,
    int nRanks,
    int gpusPerProcess,
    int channels,
    int threads,
    long shareBytes,
    int chunkBytes,
    TrafficRoute route,
    boolean registered,
    DataType dataType)
    implements NodeCall {
  /** Checks that the model covers the call. */
  public CallShape {
    dataType = collective.isReduction() ? dataType : DataType.FLOAT32;
    inPlace &= collective == Collective.ALL_GATHER || collective == Collective.BROADCAST;
    if (!isCovered(collective, algorithm)) {
      throw new IllegalArgumentException(
          collective.label() + " by " + algorithm.label() + " is not covered");
    }
    if (nRanks < 2
        || gpusPerProcess < 0
        || channels < 1
        || threads < 1
        || shareBytes < 0
        || chunkBytes < 1) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d ranks, %d GPUs per process, %d channels of %d threads, %d and %d bytes",
              nRanks,
              gpusPerProcess,
              channels,
              threads,
              shareBytes,
              chunkBytes));
    }
    int stages = algorithm == Algorithm.TREE ? 2 * (nRanks - 1) : 1;
    if (algorithm == Algorithm.TREE && route.stages().size() > stages) {
      throw new IllegalArgumentException(
          route.stages().size() + " stages of a tree of " + nRanks + " ranks");
    }
  }

  /**
   * True if the kernel is one that could write to the user's buffers of other ranks ({@code Direct}
   * of {@code Primitives}, {@code nccl:src/device/prims_simple.h}): what comes from a rank before
   * goes on unchanged.
   */
  boolean hasDirectKernel() {
    return protocol == Protocol.SIMPLE
        && (collective == Collective.ALL_REDUCE
            || collective == Collective.ALL_GATHER
            || collective == Collective.BROADCAST);
  }

  /** True if it does write to them. */
  boolean writesDirectly() {
    return registered && hasDirectKernel();
  }

  /** True if the model knows a collective by an algorithm: rings, AllReduce by trees and NVLS. */
  public static boolean isCovered(Collective collective, Algorithm algorithm) {
    return switch (algorithm) {
      case RING -> true;
      case TREE, NVLS -> collective == Collective.ALL_REDUCE;
      case COLLNET_DIRECT, COLLNET_CHAIN, NVLS_TREE, PAT -> false;
    };
  }

  /**
   * The contention on links when hops are sent at the same time: the time that the busiest link of
   * a kind takes for one byte of each hop, at its nominal bandwidth.
   *
   * @param nvlinkPsPerByte on NVLink, in picoseconds; 0 if no hop uses it
   * @param otherPsPerByte on any other link inside the machine
   * @param throughHost whether a hop goes through the host's memory
   * @param throughGpu whether a hop goes through the memory of a GPU between the two
   */
  public record Contention(
      double nvlinkPsPerByte, double otherPsPerByte, boolean throughHost, boolean throughGpu) {
    public Contention {
      if (!(nvlinkPsPerByte >= 0) || !(otherPsPerByte >= 0)) {
        throw new IllegalArgumentException(
            "times of " + nvlinkPsPerByte + " and " + otherPsPerByte + " ps: expected 0 or more");
      }
    }

    /** The slowdown of other links than NVLink. */
    Contention withoutNvlink() {
      return new Contention(0, otherPsPerByte, throughHost, throughGpu);
    }

    /** The contention while so many times as much is sent. */
    public Contention times(int count) {
      return new Contention(
          count * nvlinkPsPerByte, count * otherPsPerByte, throughHost, throughGpu);
    }
  }

  /**
   * The hops that the data of an algorithm takes, and how they share links.
   *
   * @param stages what is sent at the same time when all channels are at the same step: one entry
   *     for a ring, where every step looks alike; for a tree the hops up, from the leaves, and then
   *     the hops down
   * @param together all hops at once, as in the middle of a long call
   */
  public record TrafficRoute(List<Contention> stages, Contention together) {
    public TrafficRoute {
      stages = List.copyOf(stages);
      if (stages.isEmpty()) {
        throw new IllegalArgumentException("a route needs at least one stage");
      }
    }

    /** A ring, where all hops are always sent at once. */
    public static TrafficRoute ring(Contention hops) {
      return new TrafficRoute(List.of(hops), hops);
    }

    /** The route while so many groups send alike. */
    public TrafficRoute times(int groups) {
      return new TrafficRoute(
          stages.stream().map(stage -> stage.times(groups)).toList(), together.times(groups));
    }
  }
}
