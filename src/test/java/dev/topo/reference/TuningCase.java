package dev.topo.reference;

import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.CpuModel.CpuVendor;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Protocol;
import dev.topo.search.connect.BufferSizes;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.P2pChannels;
import dev.topo.search.tuning.CommFacts;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.Estimate;
import dev.topo.search.tuning.Tuner;
import java.util.ArrayList;
import java.util.List;

/** A job whose tuning NCCL's own code has answered. Ours comes from the topology files alone. */
final class TuningCase {
  /** NCCL's number for CPUs that differ ({@code NCCL_TOPO_CPU_ARCH_MIXED} and its like). */
  private static final int MIXED = 4;

  private final TuningAnswers answers;
  private final Connection connection;
  private final CommFacts facts;
  private final Tuner tuner;

  TuningCase(Communicator communicator, TuningAnswers answers) {
    this.answers = answers;
    this.connection = communicator.connection();
    this.facts = communicator.facts();
    this.tuner = communicator.tuner();
  }

  /** What our answers are not equal to, one text for each line. */
  List<String> differences() {
    List<String> differences = new ArrayList<>();
    header(differences);
    for (TuningAnswers.Threads t : answers.threads()) {
      compare(
          differences,
          t,
          new TuningAnswers.Threads(
              t.algorithm(),
              t.protocol(),
              tuner.threadLimits().maxThreads(t.algorithm(), t.protocol()),
              tuner.threadLimits().thresholdBytes(t.algorithm(), t.protocol())));
    }
    for (TuningAnswers.Model m : answers.model()) {
      compare(
          differences,
          m,
          new TuningAnswers.Model(
              m.collective(),
              m.algorithm(),
              m.protocol(),
              tuner.model().bandwidthGBps(m.collective(), m.algorithm(), m.protocol()),
              tuner.model().latencyUs(m.collective(), m.algorithm(), m.protocol())));
    }
    for (TuningAnswers.Call c : answers.choices()) {
      CollectiveCall call = CollectiveCall.of(c.collective(), c.sizeBytes()).exact();
      List<Estimate> estimates = tuner.estimates(call);
      compare(
          differences,
          c,
          new TuningAnswers.Call(
              c.collective(), c.sizeBytes(), tuner.decide(call).choice(), estimates));
    }
    return differences;
  }

  private void header(List<String> differences) {
    P2pChannels p2p = connection.p2pChannels(0);
    BufferSizes buffers = connection.bufferSizes(0);
    compareHeader(differences, "nRanks", facts.nRanks());
    compareHeader(differences, "nNodes", facts.nNodes());
    compareHeader(
        differences,
        "localRanks",
        ConnectText.minLocalRanks(connection) + ".." + facts.maxLocalRanks());
    compareHeader(differences, "nChannels", facts.nChannels());
    compareHeader(differences, "nvlsSupport", facts.nvls() ? 1 : 0);
    compareHeader(differences, "nvlsChannels", facts.nvlsChannels());
    compareHeader(differences, "isAllNvlink", facts.allNvlink() ? 1 : 0);
    compareHeader(differences, "maxTreePattern", facts.maxTreePattern().number());
    compareHeader(differences, "minCompCap", facts.minSm());
    compareHeader(differences, "maxCompCap", facts.maxSm());
    compareHeader(differences, "cpuArch", facts.cpu().arch().map(CpuArch::number).orElse(MIXED));
    compareHeader(
        differences, "cpuVendor", facts.cpu().vendor().map(CpuVendor::number).orElse(MIXED));
    compareHeader(differences, "collnet", facts.collNet().isPresent() ? 1 : 0);
    compareHeader(differences, "p2pChannels", p2p.nChannels());
    compareHeader(differences, "p2pChannelsPerPeer", p2p.nChannelsPerPeer());
    compareHeader(differences, "p2pChunkSize", buffers.p2pChunk());
    compareHeader(
        differences,
        "buffSizes",
        buffers.of(Protocol.LL)
            + "/"
            + buffers.of(Protocol.LL128)
            + "/"
            + buffers.of(Protocol.SIMPLE));
  }

  private void compareHeader(List<String> differences, String name, Object actual) {
    compare(differences, name + " " + answers.header().get(name), name + " " + actual);
  }

  private static void compare(List<String> differences, Object expected, Object actual) {
    if (!expected.equals(actual)) {
      differences.add("expected " + expected + "\n     was " + actual);
    }
  }
}
