package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Operations of sends and receives in tune and explain. */
class PeerOperationsTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));

  /** A command about a machine, in words. */
  private static CliRun run(String line) {
    List<String> args = new ArrayList<>(Arrays.asList(line.split(" ", -1)));
    args.add(1, ROOT.resolve("topologies/dgx-h100.xml").toString());
    return CliRun.of(args.toArray(String[]::new));
  }

  private static String ok(String line) {
    CliRun run = run(line);
    assertEquals(0, run.status(), run.err());
    return run.out();
  }

  @Test
  void textHasALineForEachTransportAndProtocol() {
    String text = ok("tune --nodes 2 --collective sendrecv");
    assertTrue(text.contains("8 B to 32 KiB:    P2P/LL,      1 channel,  "), text);
    assertTrue(text.contains("64 KiB to 8 GiB:  P2P/Simple,  1 to 2 channels,"), text);
    assertTrue(text.contains("chunks of 32 KiB to 128 KiB,  2 to 4 blocks of 640 threads"), text);
  }

  @Test
  void csvHasColumnsOfTransfers() {
    assertEquals(
        """
        collective,bytes,peer_bytes,transport,protocol,channels,chunk_bytes,blocks,threads,kernels,rounds,caveats
        alltoall,67108864,8388608,P2P,Simple,4,524288,32,640,1,8,
        gather,67108864,8388608,P2P,Simple,4,524288,32,640,1,8,
        """,
        ok("tune --collective alltoall,gather --sizes 64M --format csv"));
  }

  @Test
  void collectivesKeepTheirTable() {
    String both = ok("tune --collective all_reduce,scatter --sizes 1M,64M");
    assertTrue(both.contains("AllReduce\n") && both.contains("\nScatter\n"), both);
    assertFalse(ok("tune --sizes 1M").contains("\nScatter\n"));
  }

  @Test
  void sizesWithoutATransferAreNamed() {
    CliRun run = run("tune --collective alltoall --sizes 64,128");
    assertTrue(run.err().contains("alltoall of 64 B sends nothing"), run.err());
    assertTrue(run.out().contains("128 B:  P2P/LL,"), run.out());
  }

  @Test
  void otherReleasesAreMarked() {
    String text = ok("tune --collective sendrecv --sizes 1M --nccl 2.26.2");
    assertTrue(text.contains("not modelled: transfer-rules: NCCL 2.26.2: "), text);
    for (String compared : List.of("2.27.3", "2.28.9", "2.29.3", "2.30.7")) {
      String version = " --nccl " + compared;
      assertFalse(ok("tune --collective sendrecv --sizes 1M" + version).contains("not modelled"));
    }
  }

  @Test
  void explainNamesThresholdRoundsAndPorts() {
    String text = ok("explain --nodes 2 --collective alltoall --sizes 64M --about choice");
    assertTrue(
        text.contains("more than 32 KiB, NCCL_P2P_LL_THRESHOLD=16384 for each of 2 channels"),
        text);
    assertTrue(text.contains("Buffers that both ranks register"), text);
    assertTrue(text.contains("Up to 8 rounds share the threads of a block"), text);
    assertTrue(text.contains("Round 8: to rank 8 on 8-9 by "), text);
    assertTrue(text.contains(" through rank 1, from rank 15 on 8-9."), text);
    String small = ok("explain --collective sendrecv --sizes 8 --about choice");
    assertTrue(small.contains("8 bytes by LL (at most 512 KiB, "), small);
    CliRun nothing = run("explain --collective alltoall --sizes 8 --about choice");
    assertEquals(1, nothing.status());
    assertTrue(nothing.out().contains("Nothing is sent, as NCCL discards the call"), nothing.out());
  }

  @ParameterizedTest
  @CsvSource({
    "tune --collective hypercube, 'hypercube: expected all_reduce,'",
    "tune --collective alltoall --format tuner, NCCL chooses no algorithm for it",
    "tune --collective alltoall --buffers plain, NCCL chooses no algorithm for it",
    "'tune --collective alltoall,reduce --format csv', have other columns",
    "tune --collective alltoall --nccl 2.21.5, is not modelled",
    "explain --collective alltoall --why-not channels=8, NCCL chooses no algorithm for it",
    "'explain --collective alltoall,reduce', expected one --collective",
    "predict --collective hypercube, 'reduce, sendrecv, alltoall, alltoallv, gather, scatter or all'"
  })
  void whatHasNoMeaningIsRefused(String line, String message) {
    CliRun run = run(line);
    assertEquals(2, run.status(), run.err());
    assertTrue(run.err().contains(message), run.err());
  }
}
