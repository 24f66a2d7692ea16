package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Words as people type them. */
class TypedWordsTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--collective a2a|--collective alltoall",
        "--collective bcast|--collective broadcast",
        "--collective all_reduce_perf|--collective all_reduce",
        "--collective all_reduce --sizes 1GB|--collective all_reduce --sizes 1G",
        "--collective all_reduce -N 2|--collective all_reduce --nodes 2",
      })
  void aWordIsTheOptionThatItMeans(String typed, String meant) {
    CliRun run = CliRun.of(("predict dgx-h100 --format csv " + typed).split(" "));
    assertEquals(0, run.status(), run.err());
    assertEquals(CliRun.of(("predict dgx-h100 --format csv " + meant).split(" ")), run);
  }

  @Test
  void aMatrixOfNvidiaSmiNamesTheCommandForIt() {
    CliRun run = CliRun.of("predict", ROOT.resolve("examples/dgx-h100-topo.txt").toString());
    assertEquals(3, run.status());
    assertTrue(
        run.err()
            .endsWith(
                ": not well-formed XML but as nvidia-smi topo -m prints it: topo import makes a topology file of it\n"),
        run.err());
    assertTrue(
        CliRun.of("predict", ROOT.resolve("topologies/clusters.csv").toString())
            .err()
            .contains("not well-formed XML"));
  }

  @Test
  void visibleDevicesNameTheOptionForThem() {
    CliRun run = CliRun.of("predict", "dgx-h100", "--env", "CUDA_VISIBLE_DEVICES=0,1");
    assertEquals(2, run.status());
    assertEquals(
        "topo: --gpus 0,1: takes the place of CUDA_VISIBLE_DEVICES, which is no setting of NCCL\n",
        run.err().lines().findFirst().orElse("") + "\n");
  }
}
