package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ports as the limit of a call: those that it uses on the node that limits. */
class PortLimitTest {
  private static final Path MACHINES =
      Path.of(System.getProperty("topo.root")).resolve("topologies");

  private static String predicted(String options) {
    String[] words = ("predict -q --collective all_reduce --sizes 1G " + options).split(" ");
    CliRun run =
        CliRun.of(
            Arrays.stream(words)
                .map(
                    word ->
                        word.contains(".xml") ? MACHINES.resolve(word.strip()).toString() : word)
                .toArray(String[]::new));
    assertEquals(0, run.status(), run.err());
    return run.out().strip();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--node dgx-h100.xml*2 --node hgx-h200-4nic.xml|the NICs over PIX (200 GB/s on node 2, mlx5_0 fullest)",
        "dgx-h100.xml --nodes 3 --gpus 0|one NIC of 8 over PIX (mlx5_0, 50 GB/s)",
        "gh200.xml --nodes 4 --nvlink-domain 4|its only NIC (mlx5_0, 25 GB/s)",
        "gb200-tray.xml --nodes 3 --nvlink-domain 3 --env NCCL_MNNVL_ENABLE=0|the NICs over P2C (200 GB/s a node, mlx5_0 fullest)",
        "dgx-a100.xml --nodes 3 --env NCCL_MAX_NCHANNELS=2 --env NCCL_ALGO=Ring|2 NICs of 8 over PIX (50 GB/s a node, mlx5_0 fullest)",
        "hgx-h100-vm-flat.xml --nodes 3|copies through the host's memory to the NICs over PHB (mlx5_0 fullest)",
      })
  void areThoseThatTheCallUses(String job, String limit) {
    String sentence = predicted(job);
    assertTrue(sentence.contains(", limited by " + limit), sentence);
  }

  @Test
  void aSlowerPciLinkIsTheLimit(@TempDir Path folder) throws IOException {
    Path narrow = folder.resolve("narrow.xml");
    String wide = Files.readString(MACHINES.resolve("dgx-h100.xml"));
    Files.writeString(narrow, wide.replace("link_width=\"16\"", "link_width=\"4\""));
    String sentence = predicted(narrow + " --nodes 3");
    String limit = "the PCI links of the NICs over PIX (114.4 GB/s a node, mlx5_0 fullest)";
    assertTrue(sentence.contains(", limited by " + limit), sentence);
  }
}
