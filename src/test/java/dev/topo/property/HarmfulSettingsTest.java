package dev.topo.property;

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

/** No answer rests on a setting with which calls hang or data is wrong. */
class HarmfulSettingsTest {
  private static final String MACHINE =
      Path.of(System.getProperty("topo.root")).resolve("topologies/dgx-h100.xml").toString();

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "NCCL_LL128_BUFFSIZE=131072, NCCL issue 1739",
    "NCCL_LL128_BUFFSIZE=123000, NCCL issue 1739",
    "NCCL_LL_BUFFSIZE=131074, NCCL issue 1739",
    "NCCL_CHUNK_SIZE=1048576, NCCL issue 2408",
    "NCCL_CHUNK_SIZE=262144, NCCL issue 1496",
    "NCCL_LL128_BUFFSIZE=122880, ''",
    "NCCL_LL128_BUFFSIZE=4915200, ''",
    "NCCL_LL_BUFFSIZE=262144, ''",
    "NCCL_CHUNK_SIZE=131072, ''",
  })
  void lintFindsThem(String line, String source) throws IOException {
    Path file = Files.writeString(folder.resolve("nccl.conf"), line + "\n");
    CliRun run = CliRun.of("lint", file.toString());
    assertEquals(source.isEmpty() ? 0 : 1, run.status(), run.out());
    assertEquals(!source.isEmpty(), run.out().contains("conf-harmful"), run.out());
    assertTrue(run.out().contains(source), run.out());
  }

  @ParameterizedTest
  @CsvSource({
    "reduce, 4M, NCCL_LL128_BUFFSIZE=131072, NCCL issue 1739",
    "reduce, 4M, NCCL_LL128_BUFFSIZE=983040, ''",
    "all_reduce, 8, NCCL_LL_BUFFSIZE=131074, NCCL issue 1739",
    "all_reduce, 1G, NCCL_LL_BUFFSIZE=131074, ''",
    "all_reduce, 1G, NCCL_CHUNK_SIZE=1048576, ''",
  })
  void callsThatUseThemAreRefused(String operation, String size, String setting, String source) {
    for (String[] question :
        new String[][] {
          {"predict", MACHINE, "--env", setting},
          {"explain", MACHINE, "--env", setting},
          {"whatif", MACHINE, "env " + setting}
        }) {
      CliRun run = ask(question, operation, size);
      assertEquals(
          !source.isEmpty(), run.out().contains("(NCCL issue"), String.join(" ", question) + run);
      assertFalse(!source.isEmpty() && run.out().contains("gains"), run.out());
    }
  }

  @ParameterizedTest
  @CsvSource({"advise", "predict", "tune", "explain", "whatif", "memory", "connect"})
  void answersBesideThemSaySo(String command) {
    String more = command.equals("whatif") ? "remove net:mlx5_3" : "--nodes=2";
    for (int value : new int[] {131_072, 122_880}) {
      CliRun run = CliRun.of(command, MACHINE, more, "--env", "NCCL_LL128_BUFFSIZE=" + value);
      String caveat = "harmful-setting: NCCL_LL128_BUFFSIZE: some calls hang";
      assertEquals(value == 131_072, run.out().contains(caveat), run.toString());
    }
  }

  private static CliRun ask(String[] question, String operation, String size) {
    String[] words = new String[question.length + 6];
    System.arraycopy(question, 0, words, 0, question.length);
    String[] call = {"--nodes", "8", "--collective", operation, "--sizes", size};
    System.arraycopy(call, 0, words, question.length, call.length);
    return CliRun.of(words);
  }

  @Test
  void sendsOfMoreThanAStepAreRefused() {
    for (String command : new String[] {"tune", "explain", "predict"}) {
      String[] question = {command, MACHINE, "--env", "NCCL_CHUNK_SIZE=1048576"};
      CliRun run = ask(question, "alltoall", "1G");
      assertTrue(run.status() != 0 && run.err().contains("NCCL issue 2408"), run.toString());
    }
  }
}
