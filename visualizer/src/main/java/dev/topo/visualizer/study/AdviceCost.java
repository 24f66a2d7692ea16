package dev.topo.visualizer.study;

import dev.topo.model.operation.Protocol;
import dev.topo.search.connect.BufferSizes;
import dev.topo.simulator.advice.Setup;
import dev.topo.simulator.evaluate.JobResult;

/** Computes the additional GPU memory that advised settings cost. */
final class AdviceCost {
  private AdviceCost() {}

  /**
   * Returns the additional bytes of memory that NCCL takes on each GPU with a setup: the buffers of
   * the rings of the additional channels, in which a rank receives ({@code p2pRecvSetup}, {@code
   * nccl:src/transport/p2p.cc}). Trees that are in use take the same amount again.
   *
   * @param now the job without the setup
   */
  static long memoryBytes(JobResult now, Setup setup) {
    BufferSizes sizes = now.connection().bufferSizes(0);
    long bytesPerChannel = 0;
    for (Protocol protocol : Protocol.values()) {
      bytesPerChannel += sizes.of(protocol);
    }
    int channels = now.communicator().facts().nChannels();
    int additionalChannels = setup.settings().integer(Setup.CHANNELS, channels) - channels;
    return Math.max(0, additionalChannels) * bytesPerChannel;
  }
}
