package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs with {@code --ranks}, and parts of NVLink domains. */
class RankOrderTest {
  private static final Path MACHINES = Path.of(System.getProperty("topo.root"), "topologies");

  private static String graphs(String... options) {
    CliRun run =
        CliRun.of(
            Stream.concat(
                    Stream.of("search", MACHINES.resolve("gb200-tray.xml").toString()),
                    Stream.concat(Stream.of(options), Stream.of("--format=xml")))
                .toArray(String[]::new));
    assertEquals(0, run.status(), run.err());
    return run.out();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--nodes=4 --nvlink-domain=4 --ranks=0-15/4 | --nodes=4 --nvlink-domain=4 --gpus=0",
        "--nodes=4 --nvlink-domain=4 --ranks=4-7 | --nodes=1",
        "--nodes=4 --nvlink-domain=4 --ranks=12-15,4-7 | --nodes=2 --nvlink-domain=2",
        "--nodes=4 --nvlink-domain=4 --ranks=0-15 | --nodes=4 --nvlink-domain=4",
        "--nodes=8 --nvlink-domain=4 --ranks=16-31,0-15 | --nodes=8 --nvlink-domain=4",
        "--nodes=4 --nvlink-domain=4 --split=DIV+4 | --nodes=1",
        "--nodes=4 --nvlink-domain=4 --split=DIV+8 | --nodes=2 --nvlink-domain=2",
        "--nodes=8 --nvlink-domain=4 --split=DIV+16 | --nodes=4 --nvlink-domain=4",
        "--nodes=4 --nvlink-domain=1 | --nodes=4 --env=NCCL_MNNVL_ENABLE=0"
      })
  void partsOfADomainAreSmallerDomains(String options, String same) {
    assertEquals(graphs(words(same)), graphs(words(options)));
  }

  private static String[] words(String options) {
    return Stream.of(options.split(" ", -1))
        .map(word -> word.replace('+', ' '))
        .toArray(String[]::new);
  }

  @Test
  void dealtRanksAreConnectedInAnotherOrder(@TempDir Path folder) throws IOException {
    String[] rack = {"--nodes=2", "--nvlink-domain=2"};
    Path file = Files.writeString(folder.resolve("ranks"), "0-7/4 1-7/4\n2-7/4 3-7/4\n");
    String dealt = graphs(rack[0], rack[1], "--ranks=0,4,1,5,2,6,3,7");
    assertEquals(dealt, graphs(rack[0], rack[1], "--ranks=" + file));
    assertEquals(graphs(rack), dealt, "the graphs name GPUs by host");
    assertNotEquals(connections("--ranks=0-7"), connections("--ranks=0,4,1,5,2,6,3,7"));
  }

  private static String connections(String ranks) {
    CliRun run =
        CliRun.of(
            "connect",
            MACHINES.resolve("gb200-tray.xml").toString(),
            "--nodes=2",
            "--nvlink-domain=2",
            ranks,
            "--format=tsv");
    assertEquals(0, run.status(), run.err());
    return run.out();
  }

  @Test
  void equalPartsAreOneGroup() {
    CliRun run =
        CliRun.of(
            "tune",
            MACHINES.resolve("gb200-tray.xml").toString(),
            "--nodes=36",
            "--nvlink-domain=18",
            "--split=DIV 4",
            "--sizes=1M");
    assertTrue(run.out().startsWith("AllReduce on communicator 0-35 · gb200-tray"), run.out());
    assertEquals(2, run.out().split("communicator", -1).length - 1);
    String shared =
        CliRun.of(
                "tune",
                MACHINES.resolve("gb200-tray.xml").toString(),
                "--nodes=2",
                "--nvlink-domain=2",
                "--split=MOD 4",
                "--sizes=1M")
            .out();
    assertTrue(shared.contains("not modelled: concurrent-groups"), shared);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--ranks=0,16 | --ranks: rank 16 is not in the job, expected 0 to 15",
        "--ranks=0,0 | --ranks: rank 0 is there twice",
        "--ranks=0,4,1 | --ranks: rank 1 is of node 0, whose other ranks are not next to it"
      })
  void saysWhatIsExpected(String option, String message) {
    CliRun run =
        CliRun.of("search", MACHINES.resolve("gb200-tray.xml").toString(), "--nodes=4", option);
    assertEquals(2, run.status(), run.err());
    assertTrue(run.err().contains(message), run.err());
  }
}
