package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code topo diagnose} on what is left of a job that hangs. */
class HangTest {
  @TempDir private Path folder;

  /** A dump whose last call may differ from those before it. */
  private static String dump(int ranks, int last, String call, String state) {
    List<String> entries = new ArrayList<>();
    for (int number = last - 2; number <= last; number++) {
      entries.add(
          "{\"process_group\": [\"0\", \"default_pg\"], \"collective_seq_id\": %d, \"profiling_name\": \"nccl:%s\", \"state\": \"%s\", \"is_p2p\": false}"
              .formatted(
                  number,
                  number == last ? call : "all_reduce",
                  number == last ? state : "completed"));
    }
    return "{\"entries\": %s, \"pg_config\": {\"0\": {\"desc\": \"default_pg\", \"ranks\": \"%s\"}}}"
        .formatted(entries, IntStream.range(0, ranks).boxed().toList());
  }

  private CliRun diagnosed(int dumps, IntFunction<String> dump, String... options)
      throws IOException {
    List<String> words = new ArrayList<>(List.of("diagnose"));
    for (int rank = 0; rank < dumps; rank++) {
      words.add(Files.writeString(folder.resolve("trace_" + rank), dump.apply(rank)).toString());
    }
    words.addAll(List.of(options));
    return CliRun.of(words.toArray(new String[0]));
  }

  private CliRun diagnosed(String name, String content) throws IOException {
    return CliRun.of("diagnose", Files.writeString(folder.resolve(name), content).toString(), "-q");
  }

  @Test
  void ranksThatNeverEnteredACallAreNamedWithThoseThatWait() throws IOException {
    Path machine = Path.of(System.getProperty("topo.root"), "topologies/dgx-h100.xml");
    CliRun run =
        diagnosed(
            16,
            rank ->
                dump(16, rank < 8 ? 1311 : 1310, "all_reduce", rank < 8 ? "started" : "completed"),
            "--machine",
            machine.toString(),
            "--nodes",
            "2",
            "-q");
    assertEquals(1, run.status());
    assertTrue(
        run.out()
            .startsWith(
                "Ranks 8-15 (node 1) never entered all_reduce 1311; rank 0 waits for rank 8 over mlx5_0"),
        run.out());
  }

  /** Missing ranks on two nodes wait for each other, too, but only one that entered is named. */
  @Test
  void ranksThatAreMissingThemselvesDoNotWait() throws IOException {
    Path machine = Path.of(System.getProperty("topo.root"), "topologies/dgx-h100.xml");
    CliRun run =
        diagnosed(
            24,
            rank -> dump(24, rank < 8 ? 7 : 6, "all_reduce", rank < 8 ? "started" : "completed"),
            "--machine",
            machine.toString(),
            "--nodes",
            "3",
            "-q");
    String text = run.out().replaceAll("\\s+", " ");
    assertTrue(text.startsWith("Ranks 8-23 (node 1, node 2) never entered all_reduce 7; "), text);
    List<Integer> waiting =
        Pattern.compile("rank (\\d+) waits for rank (\\d+)")
            .matcher(text)
            .results()
            .map(found -> Integer.valueOf(found.group(1)))
            .toList();
    assertEquals(List.of(), waiting.stream().filter(rank -> rank >= 8).toList(), text);
    assertFalse(waiting.isEmpty(), text);
  }

  @Test
  void aRankInAnotherCallIsNamed() throws IOException {
    CliRun run =
        diagnosed(
            4, rank -> dump(4, 7, rank == 3 ? "all_gather" : "all_reduce", "scheduled"), "-q");
    assertTrue(
        run.out().startsWith("Rank 3 entered all_gather 7 where others entered all_reduce 7"),
        run.out());
  }

  @Test
  void aCallThatNobodyFinishesHasNoMissingRank() throws IOException {
    CliRun run = diagnosed(4, rank -> dump(4, 7, "all_reduce", "started"), "-q");
    assertTrue(run.out().contains("all 4 ranks are in all_reduce 7, none is done"), run.out());
  }

  @Test
  void aRankWithoutADumpIsNotAccused() throws IOException {
    CliRun run = diagnosed(3, rank -> dump(4, 7, "all_reduce", "started"));
    assertTrue(
        run.out().contains("ranks 0-2 did not finish all_reduce 7 (3 of 4 ranks)"), run.out());
    assertTrue(run.out().contains("nothing is known of 1"), run.out());
    assertEquals(
        "No rank is behind: in every communicator, those that answered came to the same last call.\n",
        diagnosed(3, rank -> dump(4, 7, "all_reduce", "completed"), "-q").out());
  }

  @Test
  void theAnswerOfRasNamesRanksAndHosts() throws IOException {
    String text =
        """
        Job summary
        ===========

        Group     Comms     Nodes     Ranks     Ranks     Ranks    Status  Errors
            #  in group  per comm  per node  per comm  in group
            0         1         4         8        32        32   RUNNING  MISMATCH

        #0-0 (e1ff9acf2f5aaa84) MISMATCH
          Communicator ranks have different AllReduce operation counts
          30 ranks have launched up to operation 6650
          2 ranks have launched up to operation 6649
          Rank 8 -- GPU 0 managed by process 483072 on node n2
          Rank 9 -- GPU 1 managed by process 483073 on node n2

        """;
    CliRun run = diagnosed("ras.txt", text);
    assertEquals(1, run.status());
    assertTrue(run.out().startsWith("Ranks 8-9 (n2) never entered AllReduce 6650;"), run.out());
    String dead = "  1 job process is considered dead (unreachable via the RAS network)\n";
    CliRun failed = diagnosed("dead.txt", text.substring(0, text.indexOf("#0-0")) + dead);
    assertTrue(failed.out().contains("RAS cannot reach these processes"), failed.out());
    String rank =
        "{\"rank\": %d, \"host\": \"n%d\", \"collective_counts\": {\"AllReduce\": %d, \"Reduce\": 0}}";
    String json =
        "{\"nccl_version\": \"2.28.9\", \"communicators_count\": 1, \"communicators\": [{\"hash\": \"0x1\", \"size\": 3, \"ranks\": [%s, %s], \"missing_ranks\": [{\"rank\": 2, \"host\": \"n3\"}]}]}"
            .formatted(rank.formatted(0, 1, 10), rank.formatted(1, 2, 9));
    String both =
        CliRun.of("diagnose", Files.writeString(folder.resolve("r.json"), json).toString()).out();
    assertTrue(both.contains("rank 1 (n2) never entered AllReduce 10"), both);
    assertTrue(both.contains("rank 2 (n3) did not answer"), both);
    assertEquals(3, diagnosed("bad.json", json.replace("\"rank\": 0", "\"rank\": []")).status());
  }

  @Test
  void tracesThatAreNotReadSayWhatTheyAre() throws IOException {
    Path trace = folder.resolve("t.json");
    String machine = System.getProperty("topo.root") + "/topologies/dgx-h100.xml";
    Files.writeString(trace, "{\"schema\": \"1.1.0-chakra.0.0.4\", \"nodes\": []}");
    assertTrue(
        CliRun.of("workload", trace.toString(), "--machine", machine)
            .err()
            .contains("Execution Trace of PyTorch"));
    Files.writeString(trace, "[{\"name\": \"AllReduce\", \"cat\": \"COLL\", \"ph\": \"b\"}, {}]");
    assertTrue(
        CliRun.of("workload", trace.toString(), "--machine", machine)
            .err()
            .contains("NCCL's example profiler"));
  }
}
