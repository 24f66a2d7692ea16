package dev.topo.simulator.timing;

import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.timing.StepCosts.PrimitiveCosts;
import dev.topo.simulator.timing.TimeEstimate.KernelTime;
import dev.topo.simulator.timing.TimeEstimate.NodeTime;
import dev.topo.simulator.timing.TimeEstimate.Overlap;

/**
 * Time of AllReduce by NVLS on one node, a pipeline of three stages ({@code runNvls} in {@code
 * nccl:src/device/all_reduce.h}). A channel copies one chunk per head to the NVLS buffers. Each
 * head loads its chunk through the switch, which reduces those of all GPUs, and stores the result
 * to the switch, which copies it to all GPUs. The channel copies the chunks back. Each step moves
 * one chunk of every head, and the two other stages have to fill first.
 *
 * @param stepUs time of a step in addition to copying
 * @param copyUsPerByte time of a channel to copy a byte of its chunks
 * @param linkEfficiency largest fraction of the link bandwidth that data reaches
 * @param treeStartUs time of an NVLSTree kernel in addition to moving its data
 * @param treeLinkEfficiency fraction of the link bandwidth that data reaches with NVLSTree
 */
record NvlsTime(
    double stepUs,
    double copyUsPerByte,
    double linkEfficiency,
    double treeStartUs,
    double treeLinkEfficiency) {
  /**
   * Most GPUs of a domain that NVLS divides the data among ({@code NCCL_MAX_NVLS_ARITY}, 2.28.9).
   */
  private static final int MAX_HEADS = 32;

  /** Most GPUs in the runs to which the link efficiency was fitted. */
  private static final int MAX_MEASURED_GPUS = 8;

  /** Stages of the pipeline other than the one at the switch. */
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
   * Time to fill and drain the pipeline, in microseconds: the time of the kernel without its steps.
   */
  double fillUs(CallShape shape) {
    return OTHER_STAGES * (stepUs + copyUsPerByte * Math.min(shape.chunkBytes(), share(shape)));
  }

  /**
   * Time of the kernel: the steps of its channels overlap with the links. Each of n GPUs sends the
   * whole size to be reduced and an n-th of it to be copied, and receives as much.
   */
  KernelTime kernel(CallShape shape) {
    double linksUs = linksUs(shape, efficiency(shape));
    double stepsUs = Math.ceil(share(shape) / shape.chunkBytes()) * stepUs;
    double waiting = Math.max(1, (double) shape.channels() / TimingModel.MOST_NVLS_CHANNELS);
    double channelsUs = waiting * (stepsUs + copyUs(shape));
    double us = Overlap.beside(channelsUs, linksUs, Overlap.NVLS);
    // Every chunk is a step, so steps are part of moving the data.
    return new KernelTime(0, 0, us, channelsUs, linksUs);
  }

  /**
   * Fraction of the link bandwidth that data reaches. Racks reach less than eight GPUs: 72 GB200 at
   * most 0.61 (docs/accuracy.md).
   */
  private double efficiency(CallShape shape) {
    return shape.nRanks() > MAX_MEASURED_GPUS
        ? Math.min(linkEfficiency, treeLinkEfficiency)
        : linkEfficiency;
  }

  /**
   * Time of a node in NVLSTree, whose channels copy as those of NVLS do. Other time of a step is
   * part of the messages between nodes.
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
