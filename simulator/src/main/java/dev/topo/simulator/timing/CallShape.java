package dev.topo.simulator.timing;

import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import java.util.List;

/**
 * Launch parameters of one call on one node that determine its time.
 *
 * @param algorithm Ring, Tree or NVLS
 * @param inPlace whether send and receive buffer are the same; false if that makes no difference
 * @param gpusPerProcess GPUs whose kernels one process launches one after the other; 0 if a CUDA
 *     graph holds the kernels
 * @param channels number of channels on which the call runs
 * @param threads threads of each channel
 * @param shareBytes largest share of the data that a channel gets, in bytes of the call's count
 * @param chunkBytes most bytes that a channel moves in one step
 * @param route how the hops share links
 * @param registered whether NCCL has registered the user's buffers, as it does for CUDA graphs, so
 *     that kernels with Simple may write to those of other ranks
 * @param dataType type of the reduced elements; {@link DataType#FLOAT32} if nothing is reduced
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
          TextWriter.format(
              "%d ranks, %d GPUs per process, %d channels of %d threads, %d and %d bytes",
              nRanks, gpusPerProcess, channels, threads, shareBytes, chunkBytes));
    }
    int stages = algorithm == Algorithm.TREE ? 2 * (nRanks - 1) : 1;
    if (algorithm == Algorithm.TREE && route.stages().size() > stages) {
      throw new IllegalArgumentException(
          route.stages().size() + " stages of a tree of " + nRanks + " ranks");
    }
  }

  /**
   * True if the kernel could write to the user's buffers of other ranks ({@code Direct} of {@code
   * Primitives}, {@code nccl:src/device/prims_simple.h}): it forwards what it receives from the
   * previous rank unchanged.
   */
  boolean hasDirectKernel() {
    return protocol == Protocol.SIMPLE
        && (collective == Collective.ALL_REDUCE
            || collective == Collective.ALL_GATHER
            || collective == Collective.BROADCAST);
  }

  /** True if the kernel does write to the user's buffers of other ranks. */
  boolean writesDirectly() {
    return registered && hasDirectKernel();
  }

  /**
   * True if the model covers a collective with an algorithm: rings, AllReduce with trees and with
   * NVLS.
   */
  public static boolean isCovered(Collective collective, Algorithm algorithm) {
    return switch (algorithm) {
      case RING -> true;
      case TREE, NVLS -> collective == Collective.ALL_REDUCE;
      case COLLNET_DIRECT, COLLNET_CHAIN, NVLS_TREE, PAT -> false;
    };
  }

  /**
   * Contention on links if hops are used at the same time: the time that the busiest link of a kind
   * takes for one byte of each hop, at its nominal bandwidth.
   *
   * @param nvlinkPsPerByte time on NVLink, in picoseconds; 0 if no hop uses it
   * @param otherPsPerByte time on any other link inside the machine, in picoseconds
   * @param throughHost whether a hop goes through host memory
   * @param throughGpu whether a hop goes through the memory of a third GPU
   */
  public record Contention(
      double nvlinkPsPerByte, double otherPsPerByte, boolean throughHost, boolean throughGpu) {
    public Contention {
      if (!(nvlinkPsPerByte >= 0) || !(otherPsPerByte >= 0)) {
        throw new IllegalArgumentException(
            "times of " + nvlinkPsPerByte + " and " + otherPsPerByte + " ps: expected 0 or more");
      }
    }

    /** Time of the busiest link of any kind, in picoseconds. */
    public double busiestPsPerByte() {
      return Math.max(nvlinkPsPerByte, otherPsPerByte);
    }

    /** Contention on links other than NVLink. */
    Contention withoutNvlink() {
      return new Contention(0, otherPsPerByte, throughHost, throughGpu);
    }

    /** Contention when {@code count} times as much data is sent. */
    public Contention times(int count) {
      return new Contention(
          count * nvlinkPsPerByte, count * otherPsPerByte, throughHost, throughGpu);
    }
  }

  /**
   * The hops that the data of an algorithm takes, and how they share links.
   *
   * @param stages contention of the hops that are in use at the same time if all channels are at
   *     the same step: one entry for a ring, whose steps are alike; for a tree the stages up, from
   *     the leaves, then the stages down
   * @param together contention of all hops at once, as in the middle of a long call
   */
  public record TrafficRoute(List<Contention> stages, Contention together) {
    public TrafficRoute {
      stages = List.copyOf(stages);
      if (stages.isEmpty()) {
        throw new IllegalArgumentException("a route needs at least one stage");
      }
    }

    /** Route of a ring, whose hops are all in use at the same time. */
    public static TrafficRoute ring(Contention hops) {
      return new TrafficRoute(List.of(hops), hops);
    }

    /** Route when {@code groups} groups send the same at the same time. */
    public TrafficRoute times(int groups) {
      return new TrafficRoute(
          stages.stream().map(stage -> stage.times(groups)).toList(), together.times(groups));
    }
  }
}
