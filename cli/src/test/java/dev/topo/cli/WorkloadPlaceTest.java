package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Traces of two ranks on H100 beside machines that are other ones. */
class WorkloadPlaceTest {
  private static final String MACHINES =
      Path.of(System.getProperty("topo.root"), "topologies").toString();

  private static final String KERNEL =
      "{\"cat\":\"kernel\",\"name\":\"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(x)\",\"ts\":5,\"dur\":20,"
          + "\"args\":{\"Collective name\":\"allreduce\",\"In msg nelems\":16777216,\"Group size\":2,\"dtype\":\"BFloat16\","
          + "\"Process Group Name\":\"0\",\"Process Group Ranks\":\"[0, 1]\"}}";

  @TempDir private Path folder;

  private CliRun run(String ofSecond, String options) throws IOException {
    StringBuilder call = new StringBuilder("workload");
    for (int rank = 0; rank < 2; rank++) {
      Path file = folder.resolve("r" + rank + ".json");
      Files.writeString(
          file,
          "{\"deviceProperties\":[{\"id\":0,\"name\":\"NVIDIA H100\",\"computeMajor\":9,\"computeMinor\":0,\"more\":[1]}],"
              + "\"distributedInfo\":{\"rank\":%d,\"world_size\":2,\"nccl_version\":\"2.28.9\"},\"traceEvents\":[%s]}"
                  .formatted(rank, rank == 0 ? KERNEL : ofSecond));
      call.append(' ').append(file);
    }
    call.append(" --machine ").append(MACHINES).append('/').append(options);
    return CliRun.of(CliRun.words(call.toString()).toArray(String[]::new));
  }

  @Test
  void tracesOfOtherGpusAreACaveat() throws IOException {
    CliRun run = run(KERNEL, "dgx-a100.xml --gpus 0,1 --format json");
    assertEquals(0, run.status(), run.err());
    JsonNode document = JsonMapper.shared().readTree(run.out());
    String caveat = document.get("caveats").get(0).asString();
    assertTrue(
        caveat.startsWith(
            "traced-gpu: dgx-a100: the traces are of NVIDIA H100 (sm 90), the machine has GPUs of sm 80"),
        caveat);
    assertFalse(run(KERNEL, "dgx-h100.xml --gpus 0,1").out().contains("traced-gpu"));
  }

  @ParameterizedTest
  @CsvSource({
    "dgx-h100.xml --nodes 2, 'the job has 2 ranks, --machine with --nodes has 16: expected as many nodes as the job, or with --gpus'",
    "dgx-h100.xml --gpus 0, 'the job has 2 ranks, --machine with --nodes has 1: expected as many nodes as the job'",
  })
  void nodesWithoutARankAreRefused(String options, String message) throws IOException {
    CliRun run = run(KERNEL, options);
    assertEquals(3, run.status());
    assertTrue(run.err().contains(message), run.err());
    assertEquals(1, run.err().lines().count());
  }

  @Test
  void aNodeThatIsUsedInPartIsSaid() throws IOException {
    String note = "rests on: the job has 2 ranks, the machines 8 GPUs";
    assertTrue(run(KERNEL, "dgx-h100.xml").out().contains(note));
    assertFalse(run(KERNEL, "dgx-h100.xml --gpus 2,5").out().contains(note));
    CliRun onTwo = run(KERNEL, "dgx-h100.xml --gpus 3 --nodes 2");
    assertEquals(0, onTwo.status(), onTwo.err());
    assertFalse(onTwo.out().contains(note), onTwo.out());
  }

  @Test
  void aTraceWithoutCallsIsSaid() throws IOException {
    CliRun run = run("", "dgx-h100.xml --gpus 0,1");
    assertTrue(run.out().contains("r1.json (rank 1) has no call of NCCL"), run.out());
    assertTrue(run.out().contains("traces of 1 rank,"), run.out());
    assertTrue(run.out().contains("waiting included"), run.out());
  }
}
