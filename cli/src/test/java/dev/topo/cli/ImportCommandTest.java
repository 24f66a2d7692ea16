package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code topo import}. */
class ImportCommandTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final String MATRIX = ROOT.resolve("examples/dgx-h100-topo.txt").toString();
  private static final String DEVICES = "gpu=h100,cpu=intel-sapphire-rapids,net=400000";

  @TempDir private Path folder;

  private static List<String> channels(String file) {
    CliRun run = CliRun.of("search", file, "--nodes", "2", "-v");
    assertEquals(0, run.status(), run.err());
    return run.out().lines().filter(line -> line.startsWith("  channel")).toList();
  }

  /** The shipped machine was not made from the table. */
  @Test
  void theTableOfADgxH100HasItsChannels() throws IOException {
    String file = folder.resolve("system.xml").toString();
    CliRun run = CliRun.of("import", MATRIX, "--assume", DEVICES, "-o", file);
    assertEquals(0, run.status(), run.err());
    assertEquals("", run.out());
    assertTrue(Files.readString(ROOT.resolve("docs/guest.md")).contains(run.err()), run.err());
    List<String> channels = channels(file);
    assertEquals(channels(ROOT.resolve("topologies/dgx-h100.xml").toString()), channels);
    assertTrue(channels.size() > 20, channels.toString());
  }

  /** Without P2P both directions share the link above a switch (reported in nccl#1086). */
  @ParameterizedTest
  @CsvSource({"rtx4090,amd-genoa", "rtx3090,amd-rome", "rtx5090,amd-turin"})
  void cardsOfGeForceAreSlowerBehindOneSwitchThanOnTwo(String gpu, String cpu) throws IOException {
    String rows = "";
    for (int row = 0; row < 4; row++) {
      rows += "GPU" + row;
      for (int column = 0; column < 4; column++) {
        rows += row == column ? " X" : row / 2 == column / 2 ? " PIX" : " SYS";
      }
      rows += row < 2 ? " 0-7 0\n" : " 8-15 1\n";
    }
    String matrix = folder.resolve("matrix.txt").toString();
    Files.writeString(Path.of(matrix), "GPU0 GPU1 GPU2 GPU3 CPU Affinity NUMA Affinity\n" + rows);
    String file = folder.resolve("system.xml").toString();
    assertEquals(
        0,
        CliRun.of("import", matrix, "--assume", "gpu=" + gpu + ",cpu=" + cpu, "-o", file).status());
    double one = busbw(file, "0,1");
    double two = busbw(file, "0,2");
    assertTrue(one < two, one + " GB/s behind one switch, " + two + " on two");
    String xml = Files.readString(Path.of(file));
    Files.writeString(Path.of(file), xml.replaceAll(" p2p=\"[01]*\"", ""));
    CliRun unknown = CliRun.of("predict", file, "--gpus", "0,1", "--sizes", "1G");
    assertTrue(unknown.out().contains("unknown-p2p"), unknown.out());
    assertTrue(
        unknown.out().lines().findFirst().orElse("").contains("no range known"), unknown.out());
  }

  private static double busbw(String file, String gpus) {
    CliRun run =
        CliRun.of(
            "predict", file, "--gpus", gpus, "--collective", "all_reduce", "--sizes", "1G", "-q");
    assertEquals(0, run.status(), run.err());
    return Double.parseDouble(run.out().replaceAll(".*: ([0-9.]+) GB/s busbw.*\n", "$1"));
  }

  @Test
  void whatNoFileShowsIsAUsageError() {
    CliRun run = CliRun.of("import", MATRIX);
    assertEquals(2, run.status());
    assertTrue(
        run.err()
            .startsWith(
                "topo: the model of the GPUs, the CPU and the speed of mlx5_0, mlx5_1, mlx5_2 and 5 more are not known: "
                    + "expected --assume gpu=h100,cpu=intel-sapphire-rapids,net=400000, with the values of this machine"),
        run.err());
    assertTrue(
        CliRun.of("import", MATRIX, "--assume", "gpu=h200")
            .err()
            .contains("expected --assume gpu=h200,cpu=intel-sapphire-rapids,net=400000, with"));
    assertEquals(
        "topo: --assume gpu=h1: expected one of ",
        CliRun.of("import", MATRIX, "--assume", "gpu=h1").err().substring(0, 39));
  }

  @Test
  void aFileOfNoToolIsBadInput() {
    String file = ROOT.resolve("topologies/dgx-h100.xml").toString();
    CliRun run = CliRun.of("import", file);
    assertEquals(3, run.status());
    assertEquals(
        "topo: "
            + file
            + ": is a topology file of NCCL already, expected lstopo's XML, nvidia-smi -q -x or nvidia-smi topo -m\n",
        run.err());
  }
}
