package dev.topo.simulator.timing;

import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.timing.StepCosts.PrimitiveCosts;
import dev.topo.simulator.timing.TimeEstimate.KernelTime;
import dev.topo.simulator.timing.TimeEstimate.NodeTime;
import dev.topo.simulator.timing.TimeEstimate.Overlap;

/**
 * AllReduce by NVLS on one node, a pipeline of three stages ({@code runNvls} in {@code
 * nccl:src/device/all_reduce.h}): a channel copies a chunk for each head to the buffers of NVLS;
 * each head reads its chunk of all GPUs from the switch, which reduces it, and stores it to the
 * switch, which copies it to all; the channel copies the chunks back. Each step moves such a chunk
 * of every head, and the two other stages are filled first.
 *
 * @param stepUs what a step takes beyond copying
 * @param copyUsPerByte what a channel takes to copy a byte of its chunks
 * @param linkEfficiency what data gets at most of the bandwidth of the links
 * @param treeStartUs what a kernel of NVLSTree takes beyond moving its data
 * @param treeLinkEfficiency what data of NVLSTree gets of the bandwidth of the links
 */
record NvlsTime(
    double stepUs,
    double copyUsPerByte,
    double linkEfficiency,
    double treeStartUs,
    double treeLinkEfficiency) {
  /** GPUs of a domain that NVLS divides the data among ({@code NCCL_MAX_NVLS_ARITY}, 2.28.9). */
  private static final int MAX_HEADS = 32;

  /** GPUs of the runs that the efficiency of links is known of. */
  private static final int MOST_MEASURED = 8;

  /** Stages before and after the one at the switch. */
  private static final int OTHER_STAGES = 2;

  static NvlsTime of(Calibration calibration) {
    return new NvlsTime(
        calibration.value(Constant.NVLS_STEP),
        calibration.value(Constant.NVLS_COPY) * PrimitiveCosts.US_PER_PS,
        calibration.value(Constant.NVLS_EFFICIENCY),
        calibration.value(Constant.NVLS_TREE_START),
        calibration.value(Constant.NVLS_TREE_EFFICIENCY));
  }

  /**
   * Filling and emptying the pipeline, in microseconds: what the kernel takes besides its steps.
   */
  double fillUs(CallShape shape) {
    return OTHER_STAGES * (stepUs + copyUsPerByte * Math.min(shape.chunkBytes(), share(shape)));
  }

  /**
   * The steps of the channels beside the links: the whole size leaves each GPU to be reduced and an
   * n-th of it to be copied, and as much arrives.
   */
  KernelTime kernel(CallShape shape) {
    double linksUs = linksUs(shape, efficiency(shape));
    double stepsUs = Math.ceil(share(shape) / shape.chunkBytes()) * stepUs;
    double waiting = Math.max(1, (double) shape.channels() / TimingModel.MOST_NVLS_CHANNELS);
    double channelsUs = waiting * (stepsUs + copyUs(shape));
    double us = Overlap.beside(channelsUs, linksUs, Overlap.NVLS);
    // A step is made for each chunk, so that steps are part of moving the data.
    return new KernelTime(0, 0, us, channelsUs, linksUs);
  }

  /** Racks reach less than eight GPUs: 72 GB200 at most 0.61 (docs/accuracy.md). */
  private double efficiency(CallShape shape) {
    return shape.nRanks() > MOST_MEASURED
        ? Math.min(linkEfficiency, treeLinkEfficiency)
        : linkEfficiency;
  }

  /**
   * A node of NVLSTree, whose channels copy as those of NVLS do. What a step takes beyond copying
   * is part of its messages.
   */
  NodeTime inTree(CallShape shape) {
    return new NodeTime(treeStartUs, copyUs(shape), linksUs(shape, treeLinkEfficiency));
  }

  private double copyUs(CallShape shape) {
    return copyUsPerByte * share(shape);
  }

  private static double linksUs(CallShape shape, double efficiency) {
    double bytes = share(shape) * shape.channels();
    double onLinks = bytes * (1 + 1.0 / Math.min(shape.nRanks(), MAX_HEADS));
    double psPerByte = shape.route().together().nvlinkPsPerByte();
    return onLinks * psPerByte * PrimitiveCosts.US_PER_PS / efficiency;
  }

  private static double share(CallShape shape) {
    return shape.shareBytes();
  }
}
