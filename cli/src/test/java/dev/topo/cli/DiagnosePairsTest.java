package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code topo diagnose} of files of nccl-tests for all pairs of some hosts. */
class DiagnosePairsTest {
  private static final int HOSTS = 6;
  private static final String RUN =
      """
      # nThread 1 nGpus 1 minBytes 8388608 maxBytes 1073741824 step: 128(factor)
      #  Rank  0 Group  0 Pid  1000 on   node%02d device  0 [0000:07:00] NVIDIA H100
      #  Rank  1 Group  0 Pid  1001 on   node%02d device  0 [0000:07:00] NVIDIA H100
           8388608       2097152     float     sum      -1    500.0   16.78   16.78      0    500.0   16.78   16.78      0
        1073741824     268435456     float     sum      -1    %.1f   %.2f   %.2f      0    %.1f   %.2f   %.2f      0
      # Out of bounds values : 0 OK
      # Avg bus bandwidth    : 20
      """;

  @TempDir Path folder;

  @BeforeEach
  void write() throws IOException {
    Random random = new Random(4);
    for (int a = 0; a < HOSTS; a++) {
      for (int b = a + 1; b < HOSTS; b++) {
        double gbps = (a == 2 || b == 2 ? 30 : 45) * (1 + 0.01 * random.nextGaussian());
        double us = 1073741.824 / gbps;
        Files.writeString(
            folder.resolve("node%02d-node%02d.txt".formatted(a, b)),
            String.format(Locale.ROOT, RUN, a, b, us, gbps, gbps, us, gbps, gbps));
      }
    }
    Files.writeString(folder.resolve("notes.txt"), "measured on Monday\n");
  }

  /** Of a slow pair that met no other host, none of the two is accused alone. */
  @Test
  void hostsWithTheSameRunsAreOneSuspect() throws IOException {
    Path pairs = folder.resolve("pairs.csv");
    String healthy = "a,b,busbw_gbps\nn1,n2,49\nn3,n4,88\nn5,n6,88\nn7,n8,87\n";
    Files.writeString(pairs, healthy);
    String answer = CliRun.of("diagnose", pairs.toString()).out();
    assertTrue(answer.startsWith("Host n1 or n2 "), answer);
    assertTrue(answer.contains("test each of them with a third host"), answer);
    Files.writeString(pairs, healthy + "n1,n3,88\n");
    answer = CliRun.of("diagnose", pairs.toString()).out();
    assertTrue(answer.startsWith("Host n2 "), answer);
  }

  @Test
  void namesTheSlowHost() {
    CliRun run = CliRun.of("diagnose", folder.toString(), "--format", "json");
    assertEquals(ExitStatus.NO, run.status(), run.err());
    JsonNode answer = JsonMapper.shared().readTree(run.out());
    assertEquals(1, answer.get("causes").size());
    JsonNode cause = answer.get("causes").get(0);
    assertEquals("host", cause.get("kind").asString());
    assertEquals("node02", cause.get("names").get(0).asString());
    assertEquals(33, cause.get("slowerPercent").asDouble(), 2);
    assertEquals(45, answer.get("healthy").get(0).get("gbps").asDouble(), 1);
    assertTrue(answer.get("caveats").get(0).asString().contains("1 file without runs"));
  }

  @Test
  void saysItInWords() {
    CliRun run = CliRun.of("diagnose", folder.toString());
    assertTrue(run.out().contains("1. host node02: 33 % slower"), run.out());
    assertTrue(run.out().contains("5 of its 5 runs are slow"), run.out());
  }

  @Test
  void aSingleRunIsNoMatrix() {
    CliRun run = CliRun.of("diagnose", "--pairs", folder.resolve("node00-node01.txt").toString());
    assertEquals(ExitStatus.BAD_INPUT, run.status());
    assertTrue(run.err().contains("expected at least 3 hosts and 3 runs"), run.err());
  }

  @Test
  void aFolderWithoutRunsIsRefused() throws IOException {
    Path empty = Files.createDirectory(folder.resolve("empty"));
    CliRun run = CliRun.of("diagnose", empty.toString());
    assertEquals(ExitStatus.BAD_INPUT, run.status());
    assertTrue(run.err().contains("has no file with runs of named hosts"), run.err());
  }
}
