package dev.topo.simulator.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.network.NetworkCalibration.NetworkConstant;
import dev.topo.simulator.network.NetworkCall.NetworkTime;
import dev.topo.simulator.network.NetworkCall.NetworkTime.Limit;
import dev.topo.simulator.network.PortLoad.PathLimit;
import dev.topo.simulator.timing.TimeEstimate.NodeTime;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class NetworkModelTest {
  private static final NetworkCalibration TYPICAL = NetworkCalibration.typical();
  private static final NetworkModel MODEL = new NetworkModel(TYPICAL);

  /** A ring of 8 ranks on 8 nodes with a port of 50 GB/s for two channels. */
  private static NetworkCall ring(long shareBytes, NodeTime node) {
    return ring(Protocol.SIMPLE, shareBytes, node);
  }

  private static NetworkCall ring(Protocol protocol, long shareBytes, NodeTime node) {
    return new NetworkCall(
        Algorithm.RING,
        protocol,
        true,
        1,
        7,
        7,
        0,
        shareBytes,
        1 << 21,
        NetworkCall.Receivers.PLAIN,
        new PortLoad(0, "mlx5_0", 2, 40, 0, 0),
        Optional.empty(),
        node);
  }

  @Test
  void aLargeCallTakesWhatItsPortNeeds() {
    NetworkTime time = MODEL.time(ring(1L << 30, new NodeTime(10, 1, 1)));
    double portUs = 7.0 * (1L << 30) * 40e-6 / TYPICAL.value(NetworkConstant.SHARE);
    assertEquals(portUs, time.kernelUs(), 0.01 * portUs);
    assertEquals(Limit.PORT, time.limit());
  }

  @Test
  void aSmallCallTakesAMessageForEachStep() {
    NetworkTime time = MODEL.time(ring(1024, new NodeTime(10, 1, 1)));
    assertEquals(10 + 7 * TYPICAL.value(NetworkConstant.STEP), time.kernelUs(), 1);
    assertEquals(Limit.MESSAGES, time.limit());
  }

  /** As much data as on a ring of so many ranks, and three steps instead of seven. */
  @Test
  void patHasAStepForEachBitOfTheRanks() {
    NetworkCall small = pat(1024);
    NetworkTime time = MODEL.time(small);
    assertEquals(10 + 3 * TYPICAL.value(NetworkConstant.STEP), time.kernelUs(), 2);
    assertEquals(Limit.MESSAGES, time.limit());
    double large = MODEL.time(pat(1L << 30)).kernelUs();
    assertEquals(
        MODEL.time(ring(1L << 30, new NodeTime(10, 1, 1))).kernelUs(), large, 0.01 * large);
  }

  private static NetworkCall pat(long shareBytes) {
    return new NetworkCall(
        Algorithm.PAT,
        Protocol.SIMPLE,
        true,
        1,
        7,
        3,
        0,
        shareBytes,
        1 << 21,
        NetworkCall.Receivers.PLAIN,
        new PortLoad(0, "mlx5_0", 2, 40, 0, 0),
        Optional.empty(),
        new NodeTime(10, 1, 1));
  }

  /** It crosses two hops, and is copied to the switch and back. */
  @Test
  void theOnlyChunkOfNvlsTreeIsUnderWayForItsSize() {
    int chunk = 1 << 20;
    double hopsUs = 2 * TYPICAL.value(NetworkConstant.HOP_NVLS);
    double portUs = chunk * 40e-6 / TYPICAL.value(NetworkConstant.SHARE);
    double linksUs = 1000 / TYPICAL.value(NetworkConstant.SHARE_NVLS);
    NetworkTime time = MODEL.time(nvlsTree(chunk, chunk));
    assertEquals(10 + hopsUs + 2 * portUs + 2 * linksUs, time.kernelUs(), 0.01);
  }

  /** 64 MiB need 1.1 ms of the links; 4,096 chunks that wait for each other a hop each. */
  @Test
  void manyChunksOfNvlsTreeTakeAHopEach() {
    int chunk = 16 << 10;
    NetworkTime time = MODEL.time(nvlsTree(64L << 20, chunk));
    double chunksUs = 4096 * TYPICAL.value(NetworkConstant.HOP_NVLS);
    assertEquals(chunksUs, time.transferUs(), 0.01 * chunksUs);
    assertEquals(Limit.MESSAGES, time.limit());
  }

  private static final NetworkCalibration EAGER_CONSTANTS =
      TYPICAL
          .with(NetworkConstant.EAGER, 8192)
          .with(NetworkConstant.HOP_EAGER, 5)
          .with(NetworkConstant.STEP_LL, 20)
          .with(NetworkConstant.COPY_LL, 1)
          .with(NetworkConstant.REUSE, 10);

  /** Rings by LL of eight ranks: messages below and above 8 KiB on the wire. */
  @Test
  void smallMessagesAreSentAtOnceAndLargerOnesAsk() {
    NetworkModel model = new NetworkModel(EAGER_CONSTANTS);
    assertEquals(7 * 5, model.time(byLl(7, 512)).stepsUs(), 1);
    assertEquals(7 * 2 * 5, model.time(byLl(7, 8 << 10)).stepsUs(), 5);
    assertEquals(7 * 20, model.time(byLl(7, 32 << 10)).stepsUs(), 20);
    double before = 0;
    for (int bytes = 64; bytes < 1 << 20; bytes += 64) {
      double now = model.time(byLl(7, bytes)).kernelUs();
      assertTrue(now >= before && now < 1.2 * Math.max(40, before), bytes + " B");
      before = now;
    }
  }

  /** 24 more messages than buffers wait 10 us. */
  @Test
  void messagesWaitForBuffersThatEarlierOnesHaveUsed() {
    NetworkModel model = new NetworkModel(EAGER_CONSTANTS);
    NetworkModel without = new NetworkModel(EAGER_CONSTANTS.with(NetworkConstant.REUSE, 1e-9));
    NetworkCall many = byLl(32, 32 << 10);
    double waitsUs = model.time(many).kernelUs() - without.time(many).kernelUs();
    assertEquals(24 * 10, waitsUs, 10);
    for (NetworkCall other : List.of(byLl(8, 32 << 10), byLl(32, 512))) {
      assertEquals(without.time(other).kernelUs(), model.time(other).kernelUs(), 0.01);
    }
    double before = model.time(byLl(1, 32 << 10)).kernelUs();
    for (int sends = 2; sends < 40; sends++) {
      double now = model.time(byLl(sends, 32 << 10)).kernelUs();
      assertTrue(now > before && now - before < 40, sends + " messages");
      before = now;
    }
  }

  /** 64 KiB in all: with more ranks messages become so small that they need not ask. */
  @Test
  void ringsOfMoreRanksWaitNoShorterForAsMuchData() {
    NetworkModel model = new NetworkModel(EAGER_CONSTANTS);
    NetworkModel without = new NetworkModel(EAGER_CONSTANTS.with(NetworkConstant.REUSE, 1e-9));
    double before = 0;
    for (int sends = 7; sends < 64; sends++) {
      NetworkCall call = byLl(sends, (64 << 10) / (sends + 1));
      double waitsUs = model.time(call).kernelUs() - without.time(call).kernelUs();
      assertTrue(waitsUs >= 0.99 * before, sends + " messages: " + waitsUs + " after " + before);
      before = Math.max(before, waitsUs);
    }
    assertTrue(before > 0, "none waits");
  }

  /** 16 KiB of data, twice as much on the wire, at 200 ps for a byte. */
  @Test
  void messagesOfLlAreCopiedToTheMemoryOfTheHosts() {
    NetworkModel without = new NetworkModel(TYPICAL.with(NetworkConstant.COPY_LL, 1e-9));
    double copyUs = (32 << 10) * 200e-6;
    NetworkCall ring = byLl(7, 16 << 10);
    double ofRing = MODEL.time(ring).kernelUs() - without.time(ring).kernelUs();
    assertEquals(7 * copyUs, ofRing, 0.1 * ofRing);
    NetworkCall tree = tree(Protocol.LL);
    double ofTree = MODEL.time(tree).kernelUs() - without.time(tree).kernelUs();
    assertEquals(4 * copyUs, ofTree, 0.01);
    NetworkCall byLl128 = tree(Protocol.LL128);
    assertEquals(without.time(byLl128).kernelUs(), MODEL.time(byLl128).kernelUs(), 1e-9);
  }

  private static NetworkCall tree(Protocol protocol) {
    PortLoad port = new PortLoad(0, "mlx5_0", 2, 40, 0, 0);
    NodeTime node = new NodeTime(10, 1, 1);
    return new NetworkCall(
        Algorithm.TREE,
        protocol,
        false,
        1,
        2,
        4,
        0,
        16 << 10,
        32 << 10,
        NetworkCall.Receivers.PLAIN,
        port,
        Optional.empty(),
        node);
  }

  /** 400 us of copies, of which one slice of Simple in four is on its way. */
  @Test
  void copiesOfLlHaveNoSlicesThatOverlap() {
    NodeTime node = new NodeTime(10, 400, 1);
    NetworkCalibration alike =
        TYPICAL
            .with(NetworkConstant.STEP, 100)
            .with(NetworkConstant.STEP_LL128, 100)
            .with(NetworkConstant.REUSE, 1e-9);
    NetworkModel model = new NetworkModel(alike);
    double simple = model.time(ring(1024, node)).kernelUs();
    double byLl128 = model.time(ring(Protocol.LL128, 1024, node)).kernelUs();
    assertEquals(0.25 * 400, byLl128 - simple, 10);
  }

  /** Transfers of 80 ranks on ten nodes, four bytes and 16 MiB each. */
  @Test
  void furtherPeersStartWhileDataOfTheFirstIsUnderWay() {
    double each = TYPICAL.value(NetworkConstant.PEERS_EACH);
    double small = MODEL.time(toPeers(72, 4)).kernelUs();
    assertEquals(TYPICAL.value(NetworkConstant.PEERS) + 72 * each, small, 1);
    double large = MODEL.time(toPeers(72, 16 << 20)).kernelUs();
    assertEquals(MODEL.time(toPeers(8, 16 << 20)).kernelUs(), large, 1);
  }

  private static NetworkTransfers toPeers(int peers, double bytes) {
    PortLoad port = new PortLoad(0, "mlx5_0", 72, 72 * 20, 0, 0);
    return new NetworkTransfers(
        bytes,
        peers,
        bytes,
        bytes,
        Math.min(1, (128 << 10) / bytes),
        false,
        0,
        port,
        Optional.empty(),
        0);
  }

  /** By LL with a message of so many bytes for each of four channels of a port. */
  private static NetworkCall byLl(int sends, long bytes) {
    NodeTime node = new NodeTime(10, 1, 1);
    return new NetworkCall(
        Algorithm.RING,
        Protocol.LL,
        true,
        1,
        sends,
        7,
        0,
        bytes,
        32 << 10,
        NetworkCall.Receivers.PLAIN,
        new PortLoad(0, "cxi0", 4, 40, 0, 0),
        Optional.empty(),
        node);
  }

  /** More than a round of a ring takes no more than its part of two, without a step. */
  @Test
  void timesOfRingsHaveNoStepWhereARoundIsFull() {
    long round = 1 << 21;
    double full = MODEL.time(ring(round, new NodeTime(10, 1, 1))).kernelUs();
    double more = MODEL.time(ring(round + 1024, new NodeTime(10, 1, 1))).kernelUs();
    assertTrue(more >= full && more < 1.01 * full, full + " " + more);
  }

  /** A file of topo 0.1 has one factor for the hops of both. */
  @Test
  void filesOfOlderReleasesAreRead() {
    String text =
        NetworkFile.write(TYPICAL)
            .lines()
            .filter(line -> !line.matches("(step[.]ll|copy|reuse|eager|hop.eager|peers.first).*"))
            .collect(Collectors.joining("\n", "", "\nstep.flagged = 0.5\n"));
    NetworkCalibration read = NetworkFile.read(text, "x");
    assertEquals(15, read.value(NetworkConstant.STEP_LL), 1e-9);
    assertEquals(15, read.value(NetworkConstant.STEP_LL128), 1e-9);
    assertEquals(TYPICAL.value(NetworkConstant.EAGER), read.value(NetworkConstant.EAGER));
  }

  /** A file of an earlier build has what small messages of a port wait for each other. */
  @Test
  void filesWithoutBuffersAreRead() {
    String text =
        NetworkFile.write(TYPICAL.with(NetworkConstant.EAGER, 4096))
            .lines()
            .filter(line -> !line.matches("(copy|reuse|flush|match).*"))
            .collect(Collectors.joining("\n", "", "\nmessage = 0.6\n"));
    NetworkCalibration read = NetworkFile.read(text, "x");
    assertEquals(TYPICAL.value(NetworkConstant.REUSE), read.value(NetworkConstant.REUSE));
    assertEquals(TYPICAL.value(NetworkConstant.COPY_LL), read.value(NetworkConstant.COPY_LL));
    assertEquals(4096, read.value(NetworkConstant.EAGER));
    assertEquals(0.01, read.value(NetworkConstant.FLUSH));
  }

  private static final NetworkCall.Receivers SOFTWARE = new NetworkCall.Receivers(false, true, 0);

  /** On GPUs before Hopper each of four hops waits for a flush, by LL none. */
  @Test
  void hopsOfTreesWaitForTheFlush() {
    NetworkCall.Receivers flush = new NetworkCall.Receivers(true, false, 0);
    double flushUs = TYPICAL.value(NetworkConstant.FLUSH);
    assertEquals(4 * flushUs, beyondPlain(Algorithm.TREE, Protocol.SIMPLE, 4, flush), 1e-6);
    assertEquals(0, beyondPlain(Algorithm.TREE, Protocol.LL, 4, flush), 1e-6);
  }

  /** A hop of a tree has a message; a ring has one for each send, whatever the hops. */
  @Test
  void softwareMatchesEveryMessage() {
    assertEquals(4 * 7, beyondPlain(Algorithm.TREE, Protocol.LL, 4, SOFTWARE), 1);
    double ofRing = beyondPlain(Algorithm.RING, Protocol.LL, 1000, SOFTWARE);
    assertTrue(ofRing > 0.8 * 7 * 1000, "" + ofRing);
    double half =
        beyondPlain(
            Algorithm.RING, Protocol.LL, 1000, new NetworkCall.Receivers(false, false, 0.5));
    assertTrue(half > 0 && half < 0.6 * ofRing, half + " of " + ofRing);
  }

  private static double beyondPlain(
      Algorithm algorithm, Protocol protocol, int hops, NetworkCall.Receivers receivers) {
    NetworkModel model =
        new NetworkModel(
            TYPICAL
                .with(NetworkConstant.MATCH, 7)
                .with(NetworkConstant.STEP_LL, 20)
                .with(NetworkConstant.EAGER, 4096)
                .with(NetworkConstant.HOP_EAGER, 1));
    return model.time(small(algorithm, protocol, hops, receivers)).kernelUs()
        - model.time(small(algorithm, protocol, hops, NetworkCall.Receivers.PLAIN)).kernelUs();
  }

  private static NetworkCall small(
      Algorithm algorithm, Protocol protocol, int hops, NetworkCall.Receivers receivers) {
    boolean isRing = algorithm == Algorithm.RING;
    return new NetworkCall(
        algorithm,
        protocol,
        isRing,
        1,
        isRing ? hops : 2,
        hops,
        0,
        64,
        32 << 10,
        receivers,
        new PortLoad(0, "cxi0", 1, 40, 0, 0),
        Optional.empty(),
        new NodeTime(10, 1, 1));
  }

  private static NetworkCall nvlsTree(long shareBytes, int chunkBytes) {
    return new NetworkCall(
        Algorithm.NVLS_TREE,
        Protocol.SIMPLE,
        false,
        1,
        1,
        2,
        14,
        shareBytes,
        chunkBytes,
        NetworkCall.Receivers.PLAIN,
        new PortLoad(0, "mlx5_0", 2, 40, 0, 0),
        Optional.empty(),
        new NodeTime(10, 0, 1000));
  }

  /** 14 messages of 16 KiB on the wire, whose data takes 1 % more; each channel adds as many. */
  @Test
  void messagesThatAskTakeTheirPortOneAfterTheOther() {
    NetworkModel asking = new NetworkModel(EAGER_CONSTANTS.with(NetworkConstant.ASK, 100));
    NetworkModel others = new NetworkModel(EAGER_CONSTANTS);
    for (int channels = 1; channels <= 4; channels++) {
      NetworkCall call = twice(14, channels, 8 << 10);
      double askUs = channels * 1400;
      assertEquals(askUs, asking.time(call).kernelUs(), 0.02 * askUs, channels + " channels");
    }
    NetworkCall small = twice(14, 4, 2 << 10);
    assertEquals(others.time(small).kernelUs(), asking.time(small).kernelUs(), 1e-9, "at once");
    NetworkCall few = twice(8, 4, 8 << 10);
    assertEquals(others.time(few).kernelUs(), asking.time(few).kernelUs(), 1e-9, "free buffers");
  }

  /** Each message, whether its buffer is there or not. */
  @Test
  void softwareMatchesBeforeItFetches() {
    NetworkCalibration constants = EAGER_CONSTANTS.with(NetworkConstant.ASK, 100);
    NetworkModel model = new NetworkModel(constants.with(NetworkConstant.MATCH, 50));
    assertEquals(14 * 2 * 150, model.time(bySoftware(14)).kernelUs(), 14 * 2 * 5);
    assertEquals(7 * 2 * 150, model.time(bySoftware(7)).kernelUs(), 7 * 2 * 5);
  }

  private static NetworkCall bySoftware(int sends) {
    return twice(sends, 2, 8 << 10, SOFTWARE);
  }

  private static NetworkCall twice(int sends, int channels, int partBytes) {
    return twice(sends, channels, partBytes, NetworkCall.Receivers.PLAIN);
  }

  private static NetworkCall twice(
      int sends, int channels, int partBytes, NetworkCall.Receivers receivers) {
    return new NetworkCall(
        Algorithm.RING,
        Protocol.LL,
        true,
        8,
        sends,
        4,
        sends - 4,
        8L * partBytes,
        1 << 15,
        receivers,
        new PortLoad(0, "cxi0", channels, channels * 40, 0, 0),
        Optional.empty(),
        new NodeTime(10, 1, 1));
  }

  @Test
  void slowChannelsAreTheLimit() {
    double channelsUs = 1e7;
    NetworkTime time = MODEL.time(ring(1L << 30, new NodeTime(10, channelsUs, 1)));
    assertTrue(time.kernelUs() >= channelsUs);
    assertEquals(Limit.CHANNELS, time.limit());
  }

  @Test
  void dataThroughTheHostIsSlower() {
    PortLoad near = new PortLoad(0, "x", 1, 40, 0, 0);
    PortLoad bridge = new PortLoad(0, "x", 1, 40, 42, 0);
    PortLoad host = new PortLoad(0, "x", 1, 40, 0, 42);
    assertTrue(near.psPerByte(TYPICAL, 1, 1000) < bridge.psPerByte(TYPICAL, 1, 1000));
    assertTrue(bridge.psPerByte(TYPICAL, 1, 1000) < host.psPerByte(TYPICAL, 1, 1000));
    assertEquals(PathLimit.PORT, near.limit(TYPICAL, 1, 1000));
    assertEquals(PathLimit.HOST_BRIDGE, bridge.limit(TYPICAL, 1, 1000));
    assertEquals(PathLimit.HOST_MEMORY, host.limit(TYPICAL, 1, 1000));
  }

  @Test
  void filesAreReadAsTheyAreWritten() {
    for (String name : NetworkFile.SHIPPED) {
      NetworkCalibration shipped = NetworkFile.shipped(name).orElseThrow();
      assertEquals(name, shipped.name());
      assertEquals(shipped, NetworkFile.read(NetworkFile.write(shipped), "x"));
    }
  }

  @Test
  void aWrongFileIsRefusedWithItsLine() {
    String text = NetworkFile.write(TYPICAL);
    assertMessage("x:5:1: share \"1.5\"", text.replace("share = 0.9500", "share = 1.5"));
    assertMessage("no constant is called", text + "a = 1\n");
    assertMessage("step occurs twice", text + "step = 1\n");
    assertMessage("name occurs twice", text + "name = other\n");
    assertMessage("the constant step is missing", text.replace("step = 30.00", ""));
  }

  private static void assertMessage(String part, String text) {
    TopologyFormatException wrong =
        assertThrows(TopologyFormatException.class, () -> NetworkFile.read(text, "x"));
    assertTrue(String.valueOf(wrong.getMessage()).contains(part), wrong.getMessage());
  }

  /**
   * 64 KiB at 1 ns for a byte take 65.54 us, three hops at the rate of NVLink 5.9 us, of which a
   * ring shows half.
   */
  @Test
  void aChunkIsPassedOnInsideANodeNoFasterThanLinksCarry() {
    NodeTime onNvlink = new NodeTime(10, 1, 1);
    NodeTime onPci = new NodeTime(10, 1, 1, 0, 1e-3);
    assertEquals(
        65.54 - 5.9 / 2, fillUs(Algorithm.RING, onPci) - fillUs(Algorithm.RING, onNvlink), 0.1);
    assertEquals(
        3 * 65.54 - 5.9, fillUs(Algorithm.TREE, onPci) - fillUs(Algorithm.TREE, onNvlink), 0.1);
  }

  /** Three waits of 2 us inside nodes; those of rings are in what their channels need. */
  @Test
  void aTreeWaitsInsideNodes() {
    double without = fillUs(Algorithm.TREE, new NodeTime(10, 1, 1));
    assertEquals(without + 6, fillUs(Algorithm.TREE, new NodeTime(10, 1, 1, 2, 0)), 1e-9);
  }

  /** Of a single chunk that makes a hop between nodes and three inside them. */
  private static double fillUs(Algorithm algorithm, NodeTime node) {
    PortLoad port = new PortLoad(0, "mlx5_0", 2, 40, 0, 0);
    return MODEL
        .time(
            new NetworkCall(
                algorithm,
                Protocol.SIMPLE,
                false,
                1,
                1,
                1,
                3,
                1 << 16,
                1 << 16,
                NetworkCall.Receivers.PLAIN,
                port,
                Optional.empty(),
                node))
        .kernelUs();
  }
}
