package dev.topo.visualizer.study;

import dev.topo.model.operation.Protocol;
import dev.topo.search.connect.BufferSizes;
import dev.topo.simulator.advice.Setup;
import dev.topo.simulator.evaluate.JobResult;

/** Cost of advice. */
final class Cost {
  private Cost() {}

  /**
   * How much more memory of each GPU NCCL takes with a setup: the buffers of the rings of the
   * additional channels, in which a rank receives ({@code p2pRecvSetup}, {@code
   * nccl:src/transport/p2p.cc}). Trees that are in use take as much again.
   *
   * @param now the job as it is
   */
  public static long memoryBytes(JobResult now, Setup setup) {
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
