package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How releases before 2.22.3 divide sends and receives is not modelled; all else is answered. */
class TransfersOfOldReleasesTest {
  private static final String MACHINE =
      Path.of(System.getProperty("topo.root"), "topologies/l40s-4.xml").toString();
  private static final String REASON =
      "how NCCL 2.20.5 divides sends and receives is not modelled, expected --nccl 2.22.3 or newer";

  @TempDir private Path folder;

  @Test
  void aReportHasCollectivesAndBounds() throws IOException {
    Path page = folder.resolve("page.html");
    CliRun run =
        CliRun.of("report", MACHINE, "--nccl=2.20.5", "--sizes=1M,256M", "-o", page.toString());
    assertEquals(0, run.status(), run.err());
    assertTrue(Files.readString(page).contains("<td>AlltoAll</td>"));
  }

  @Test
  void onlyTheirRowsOfAWorkloadHaveNoTime() throws IOException {
    Path calls =
        Files.writeString(
            folder.resolve("calls.csv"),
            """
            group,operation,bytes,datatype,count
            0-3,all_reduce,64M,float32,1
            0-3,alltoall,1M,float32,1
            """);
    for (String nodes : new String[] {"1", "2"}) {
      CliRun run =
          CliRun.of(
              "workload",
              calls.toString(),
              "--machine",
              MACHINE,
              "--nccl=2.20.5",
              "--nodes",
              nodes);
      assertEquals(0, run.status(), run.err());
      assertTrue(run.out().contains("Ring/Simple"), run.out());
      assertEquals(1, run.out().lines().filter(line -> line.endsWith(REASON)).count(), run.out());
    }
  }

  @Test
  void onlyTheirRowsOfASweepHaveNoTime() throws IOException {
    Path spec =
        Files.writeString(
            folder.resolve("spec.yaml"),
            "name: old\nmachines: [%s]\nnccl: [2.20.5]\ncollectives: [all_reduce, alltoall]\nsizes: [1M]\n"
                .formatted(MACHINE));
    CliRun run = CliRun.of("sweep", spec.toString(), "-o", folder.resolve("results").toString());
    assertEquals(0, run.status(), run.err());
    assertTrue(run.err().contains("1 of 2 new rows have no time, the first: " + REASON), run.err());
  }

  @Test
  void theirOwnQuestionsAreRefused() {
    for (String command : new String[] {"predict", "tune", "explain", "advise"}) {
      CliRun run =
          CliRun.of(command, MACHINE, "--nccl=2.20.5", "--collective=alltoall", "--sizes=1M");
      assertEquals(2, run.status(), run.out());
      assertEquals("topo: " + REASON + "\n", run.err());
    }
  }
}
