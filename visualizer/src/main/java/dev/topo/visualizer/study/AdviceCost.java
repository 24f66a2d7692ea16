package dev.topo.visualizer.study;

import dev.topo.model.operation.Protocol;
import dev.topo.search.connect.BufferSizes;
import dev.topo.simulator.advice.Setup;
import dev.topo.simulator.evaluate.JobResult;

/** The memory cost of advised settings. */
final class AdviceCost {
  private AdviceCost() {}

  /**
   * The additional memory in bytes that NCCL allocates on each GPU with a setup: the receive
   * buffers of the rings of additional channels ({@code p2pRecvSetup}, {@code
   * nccl:src/transport/p2p.cc}). Trees take the same amount if they are used.
   *
   * @param now the job without the setup
   */
  static long memoryBytes(JobResult now, Setup setup) {
    BufferSizes sizes = now.connection().bufferSizes(0);
    long ofChannel = 0;
    for (Protocol protocol : Protocol.values()) {
      ofChannel += sizes.of(protocol);
    }
    int has = now.communicator().facts().nChannels();
    int more = setup.settings().integer(Setup.CHANNELS, has) - has;
    return Math.max(0, more) * ofChannel;
  }
}
