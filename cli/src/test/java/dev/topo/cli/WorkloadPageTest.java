package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page about a job's communication. */
class WorkloadPageTest {
  private static final Path MEASURED =
      Path.of(System.getProperty("topo.root")).resolve("src/test/resources/measured");

  @TempDir private static Path folder;

  private static Path page(String job, int ranks, String... options) {
    Path page = folder.resolve(job + ".html");
    CliRun run =
        CliRun.of(
            Stream.of(
                    List.of("workload"),
                    IntStream.range(0, ranks).mapToObj(rank -> trace(job, rank)).toList(),
                    List.of("--machine", MEASURED.resolve("h200-x2.topo.xml").toString()),
                    List.of("--env", "NCCL_NVLS_ENABLE=0"),
                    List.of(options),
                    List.of("-o", page.toString()))
                .flatMap(List::stream)
                .toArray(String[]::new));
    assertEquals(ExitStatus.DONE, run.status(), run.err());
    return page;
  }

  private static String trace(String job, int rank) {
    return MEASURED.resolve("h200-x2-workloads/%s.rank%d.json.gz".formatted(job, rank)).toString();
  }

  private static long count(String text, String part) {
    return text.split(part, -1).length - 1;
  }

  /** The figures are those of the text; each step has 12 all-gathers and reduce-scatters a rank. */
  @Test
  void aPageHasTheStepAndEachCallOfIt() throws IOException {
    String page = Files.readString(page("fsdp", 2, "--whatif", "env NCCL_MAX_CTAS=8"));
    for (String figure : List.of("55.95 ms", "27.19 ms", "14.71 ms", "21.83 ms")) {
      assertTrue(page.contains("<b>" + figure + "</b>"), figure);
    }
    assertEquals(3, count(page, "<svg "));
    assertEquals(2 * 72, count(page, "<g class=\"call\">"));
    assertTrue(page.contains("step 3 of 3"));
    assertTrue(page.contains("AllGather 96.1 MiB bfloat16, group default_pg (2), rank 1\n"));
    assertTrue(page.contains("expected 222.0 us (198.2 to 248.6 us) alone, Ring/Simple"));
    assertTrue(page.contains("url(#waits)"));
    assertTrue(page.contains("class=\"beside\""));
    assertTrue(page.contains("27.19 ms before, 32.58 ms after (31.43 to 33.87 ms)"));
    assertFalse(page.contains("<mark>"));
  }

  @Test
  void anotherLaunchThanExpectedIsMarked() throws IOException {
    String page = Files.readString(page("fsdp", 2, "--env", "NCCL_MAX_CTAS=8"));
    assertTrue(page.contains("<mark>24 x 544, expected 8 x 544</mark>"));
  }

  /** A rank alone cannot tell waiting from transfer. */
  @Test
  void theTraceOfOneRankHasNoWaiting() throws IOException {
    String page = Files.readString(page("ddp", 1));
    assertTrue(page.contains("waiting included"));
    assertFalse(page.contains("for other ranks"));
    assertFalse(page.contains("id=\"late\""));
  }

  @Test
  void withoutTimesThereIsNoTimeline() throws IOException {
    Path calls =
        Files.writeString(
            folder.resolve("calls.csv"),
            "group,operation,bytes,datatype,count\n0-1,all_reduce,64M,bfloat16,12\n");
    Path page = folder.resolve("calls.html");
    CliRun run =
        CliRun.of(
            "workload",
            calls.toString(),
            "--machine",
            MEASURED.resolve("h200-x2.topo.xml").toString(),
            "-o",
            page.toString());
    assertEquals(ExitStatus.DONE, run.status(), run.err());
    String text = Files.readString(page);
    assertTrue(text.contains("do not say when calls started"));
    assertFalse(text.contains("<svg"));
  }
}
