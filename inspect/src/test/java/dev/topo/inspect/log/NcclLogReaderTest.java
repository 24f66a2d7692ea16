package dev.topo.inspect.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Link.PathType;
import dev.topo.model.fixture.CountedText;
import dev.topo.model.fixture.Growth;
import dev.topo.model.graph.GraphKind.Pattern;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NcclLogReaderTest {
  private static RankLog rank(String... messages) {
    StringBuilder text = new StringBuilder();
    for (String message : messages) {
      text.append("[0] NCCL INFO ").append(message).append('\n');
    }
    NcclLog log = NcclLogReader.parse(text.toString());
    assertEquals(1, log.ranks().size());
    return log.ranks().get(0);
  }

  @Test
  void tellsRanksApartByHostProcessAndDevice() {
    NcclLog log =
        NcclLogReader.parse(
            """
            NCCL version 2.28.9+cuda13.0
            n1:7:8 [0] NCCL INFO Ring 00 : 3 -> 0 -> 1
            [1,2]<stdout>:n2:7:8 [0] NCCL INFO Ring 00 : 1 -> 2 -> 3
            [2026-01-01 10:00:00] n1:7:9 [1] NCCL INFO Ring 00 : 0 -> 1 -> 2
            n1:7:99 [0] NCCL INFO Ring 01 : 2 -> 0 -> 3
            [3] NCCL INFO Ring 00 : 2 -> 3 -> 0
            n1:7:9 [1] nccl.cc:12 NCCL WARN something
            some other line
            """);
    assertEquals(Optional.of("2.28.9+cuda13.0"), log.version());
    assertEquals(
        List.of("n1:7 [0]", "n2:7 [0]", "n1:7 [1]", "[3]"),
        log.ranks().stream().map(RankLog::source).toList());
    assertEquals(
        List.of(new ConnectionLog.Ring(0, 3, 0, 1), new ConnectionLog.Ring(1, 2, 0, 3)),
        log.ranks().get(0).connections().rings());
    assertEquals(OptionalInt.of(2), log.ranks().get(1).rank());
  }

  @Test
  void whatStandsBeforeTheHostIsNotPartOfIt() {
    String before = "x".repeat(2_000) + ":";
    assertEquals(List.of(), NcclLogReader.parse(before).ranks());
    assertEquals(
        "n1:7 [0]",
        NcclLogReader.parse(before + "n1:7:8 [0] NCCL INFO Ring 00 : 3 -> 0 -> 1")
            .ranks()
            .get(0)
            .source());
  }

  /** No expression tries each place of a line again, whatever is repeated in it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{x}",
        "{x}:n1:7:8 [0] NCCL INFO Ring 00 : 3 -> 0 -> 1",
        "{1:}n1:7:8 [0] NCCL INFO Ring 00 : 3 -> 0 -> 1",
        "{ }[0] NCCL INFO Ring 00 : 3 -> 0 -> 1",
        "{[0] NCCL }INFO",
        "{NCCL version }",
        "nccl-library={1}",
        "[0] NCCL INFO {x}",
        "[0] NCCL INFO {NCCL_DEBUG} set by environment to 1",
        "[0] NCCL INFO NCCL_DEBUG set by environment to {1.}",
        "[0] NCCL INFO Channel 00/02 :{ 1}",
        "[0] NCCL INFO Channel 00/02 :{ }x",
        "[0] NCCL INFO Trees{ [0] -1/-1/-1->0->1}",
        "[0] NCCL INFO Trees {1}",
        "[0] NCCL INFO { }+ PCI[24.0] - x",
        "[0] NCCL INFO GPU/0-1 :{GPU/0-1 (1/1.0/NVL)}",
        "[0] NCCL INFO 0 :{ GPU/0-1}x",
        "[0] NCCL INFO   Algorithm   |{ Tree |}",
        "[0] NCCL INFO { }AllReduce | 1.0/ 1.0 |",
        "[0] NCCL INFO AllReduce |{ 1.0/ 1.0 |}x",
        "[0] NCCL INFO {via NET/}"
      })
  void theWorkForALongLineGrowsWithItsLength(String line) {
    String[] parts = line.split("[{}]", -1);
    Growth.assertLinear(
        "characters read of " + line,
        1_000,
        n -> {
          CountedText text = new CountedText(parts[0] + parts[1].repeat(n) + parts[2]);
          NcclLogReader.parse(() -> Stream.of(text));
          return text.reads();
        });
  }

  /** nccl-tests writes its table without line's ends while NCCL logs to the same stream. */
  @Test
  void whatAnotherWriterLeftBeforeTheHostIsNotPartOfIt() {
    NcclLog log =
        NcclLogReader.parse(
            """
            vm:7:8 [0] NCCL INFO Ring 00 : 3 -> 0 -> 1
                 1048576   float     sum      -1vm:7:7 [0] NCCL INFO Ring 01 : 2 -> 0 -> 3
                43.97   23.85   35.77    N/Avm:7:7 [0] NCCL INFO Ring 02 : 1 -> 0 -> 3
            """);
    assertEquals(List.of("vm:7 [0]"), log.ranks().stream().map(RankLog::source).toList());
    assertEquals(3, log.ranks().get(0).connections().rings().size());
  }

  @Test
  void aSecondCommunicatorIsAnotherEntry() {
    String comm =
        "[0] NCCL INFO comm 0x5 rank %d nRanks 4 nNodes 2 localRanks 2 localRank 0 MNNVL 0\n";
    NcclLog log = NcclLogReader.parse(comm.formatted(1) + comm.formatted(3));
    assertEquals(2, log.ranks().size());
    assertEquals(new RankLog.Comm(3, 4, 2, 2, 0), log.ranks().get(1).comm().orElseThrow());
  }

  @Test
  void readsSettings() {
    NcclLog log =
        NcclLogReader.parse(
            """
            h:1:1 [0] NCCL INFO NCCL_ALGO set by environment to Ring,Tree
            h:1:1 [0] NCCL INFO NCCL_NVLS_ENABLE set by environment to 0.
            """);
    assertEquals(Map.of("NCCL_ALGO", "Ring,Tree", "NCCL_NVLS_ENABLE", "0"), log.settings());
  }

  @Test
  void readsMachinePathsAndGraphs() {
    GraphLog log =
        rank(
                "=== System : maxBw 24.0 totalBw 48.0 ===",
                "CPU/0-0 (1/1/2)",
                "+ PCI[48.0] - GPU/0-1b000 (0)",
                "              + NVL[370.8] - NVS/0-0",
                "==========================================",
                "GPU/0-1b000 :GPU/0-1b000 (0/5000.0/LOC) NET/1-0 (3/12.5/PHB) ",
                "Pattern 4, crossNic 0, nChannels 2, bw 12.500000/12.000000, type NVL/PIX, sameChannels 1",
                " 0 : NET/0-0 GPU/0-1b000 NET/0-1",
                "10 : NET/0-0 GPU/0-1b000 NET/0-1",
                "Pattern 9, crossNic 0, nChannels 0, bw 1.0/1.0, type NVL/PIX, sameChannels 1")
            .graphs();
    assertEquals(new BigDecimal("24.0"), log.system().orElseThrow().maxBwGBps());
    assertEquals("NET/1-0", log.paths().get(1).to().toString());
    assertEquals(PathType.PHB, log.paths().get(1).type());
    assertEquals(3, log.paths().get(1).hops());
    assertEquals(1, log.graphs().size());
    assertEquals(Pattern.RING, log.graphs().get(0).pattern());
    assertEquals(2, log.graphs().get(0).channels().size());
    assertEquals(
        "[NET/0-0, GPU/0-1b000, NET/0-1]", log.graphs().get(0).channels().get(1).toString());
  }

  @Test
  void readsChannelsPeersAndNumbers() {
    ConnectionLog log =
        rank(
                "Channel 00/02 :  0  1 10",
                "Channel 01/02 : 0 1 1...",
                "Channel 00/0 : 3[3] -> 0[0] [receive] via NET/IB/0/GDRDMA",
                "Channel 02 : 0[0] -> 1[1] via SHM/direct/direct",
                "Trees [0] 1/2/-1->0->-1 [1] -1/-1/-1->0->12",
                "NVLS Head  3:  3 11",
                "NVLS Trees : 33/8/-1->0->-1 33/-1/-1->0->8",
                "P2P Chunksize set to 131072",
                "16 coll channels, 16 collnet channels, 8 nvls channels, 32 p2p channels, 2 p2p channels per peer")
            .connections();
    assertEquals(List.of(0, 1, 10), log.channels().get(0).ranks());
    assertTrue(log.channels().get(0).isComplete());
    assertEquals(List.of(0, 1), log.channels().get(1).ranks());
    assertFalse(log.channels().get(1).isComplete());
    assertTrue(log.hasPeers());
    assertEquals(new ConnectionLog.Tree(1, -1, -1, -1, 0, 12), log.trees().get(1));
    assertEquals(new ConnectionLog.NvlsHead(3, List.of(3, 11)), log.nvlsHeads().get(0));
    assertEquals(new ConnectionLog.Tree(1, 33, -1, -1, 0, 8), log.nvlsTrees().get(1));
    assertEquals(Optional.of(131072), log.p2pChunkBytes());
    assertEquals(new ConnectionLog.Counts(16, 16, 8, 32, 2), log.counts().orElseThrow());
  }

  @Test
  void leavesOutTheTreeThatACutLineEndsWith() {
    String tree = " [%d] 100/200/-1->0->-1";
    StringBuilder line = new StringBuilder("Trees");
    for (int channel = 0; line.length() < 1100; channel++) {
      line.append(tree.formatted(channel));
    }
    int whole = line.length() / tree.length();
    String cut = line.substring(0, 1023 - "[0] NCCL INFO ".length());
    List<ConnectionLog.Tree> trees = rank(cut).connections().trees();
    assertTrue(trees.size() < whole && trees.size() > 30, () -> trees.size() + " trees");
    assertEquals(-1, trees.get(trees.size() - 1).up());
  }

  @Test
  void readsTableAndChoices() {
    TuningLog log =
        rank(
                "  Algorithm   |                             PAT                  |",
                "  Protocol    |             LL |          LL128 |         Simple |",
                " Max NThreads |              0 |            640 |              0 |",
                "    AllGather |     0.0/   0.0 |     1.5/ 331.2 |123456.7/123456.7 |",
                "    AllReduce |     0.0/   0.0 |     0.0/   0.0 |    -1.0/  -1.0 |",
                "threadThresholds 8/8/64 | 32/8/64 | 512 | 512",
                "AllGather: 4096 Bytes -> Algo NVLS_TREE proto SIMPLE channel{Lo..Hi}={2..15}",
                "AllGather: 99999999999999999999 Bytes -> Algo PAT proto LL channel{Lo..Hi}={0..1}",
                "Gather: 1 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..1}")
            .tuning();
    assertEquals(
        new TuningLog.MaxThreads(Algorithm.PAT, Protocol.LL128, 640), log.threads().get(1));
    assertEquals(6, log.model().size());
    assertEquals(new BigDecimal("-1.0"), log.model().get(5).bandwidthGBps());
    assertEquals(new BigDecimal("331.2"), log.model().get(1).bandwidthGBps());
    assertEquals(new BigDecimal("123456.7"), log.model().get(2).latencyUs());
    assertEquals(List.of(8L, 8L, 64L, 32L, 8L, 64L, 512L, 512L), log.thresholds());
    assertEquals(
        List.of(
            new TuningLog.Choice(
                Collective.ALL_GATHER, 4096, Algorithm.NVLS_TREE, Protocol.SIMPLE, 2, 15)),
        log.choices());
  }
}
