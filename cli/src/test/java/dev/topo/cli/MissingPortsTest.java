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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of a job of several nodes whose machine has no network port. */
class MissingPortsTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final String DGX_H100 = ROOT.resolve("topologies/dgx-h100.xml").toString();
  private static final String ADDED = "add net:eth0 to switch:0000:18:00.0 speed=100000";

  @TempDir private Path folder;

  private String portless = "";

  @BeforeEach
  void writeMachine() throws IOException {
    String text = Files.readString(Path.of(DGX_H100)).replaceAll("(?s)<nic>.*?</nic>", "");
    portless = Files.writeString(folder.resolve("portless.xml"), text).toString();
  }

  private static CliRun run(String call, String machine, String... more) {
    List<String> words = new ArrayList<>(List.of(call.split(" ")));
    words.add(1, machine);
    words.addAll(List.of(more));
    CliRun run = CliRun.of(words.toArray(String[]::new));
    assertEquals(0, run.status(), run.err());
    return run;
  }

  private static void assertNote(String subject, CliRun run) {
    assertEquals(1, run.err().lines().count(), run.err());
    String start = "topo: note: " + subject + " no network port (<net>): 0.1 GB/s between nodes is";
    assertTrue(run.err().startsWith(start), run.err());
    assertTrue(run.err().contains("--assume gpu=MODEL,net=MBIT_PER_SECOND"), run.err());
    assertTrue(run.err().contains("'add net:NAME to PLACE speed=MBIT_PER_SECOND'"), run.err());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "predict --sizes 1G --format json",
        "tune --format csv --sizes 1M",
        "connect --format tsv",
        "search",
        "explain",
        "explain --about choice --collective alltoall --sizes 1M",
        "connect --what p2p,nics",
        "connect --what p2p,nics --format json"
      })
  void oneNoteSaysWhatIsAssumedBetweenNodes(String call) {
    assertNote(portless + " has", run(call + " --nodes 2", portless));
  }

  @ParameterizedTest
  @ValueSource(strings = {"tune --sizes 1M", "connect"})
  void nothingIsSaidOfOneNodeOrOfAMachineWithPorts(String call) {
    assertEquals("", run(call, portless).err());
    assertEquals("", run(call + " --nodes 2", DGX_H100).err());
    assertEquals("", run(call + " --nodes 2 --split", portless, "DIV 8").err());
  }

  @Test
  void theNoteComesFromThePortsThatAnEditLeaves() {
    String call = "whatif --sizes 1G --collective all_reduce --nodes 2";
    assertNote(portless + " (as it is) has", run(call, portless, "env NCCL_PROTO=Simple"));
    assertNote(portless + " (as it is) has", run(call, portless, ADDED));
    assertNote(DGX_H100 + " (remove nic:*) has", run(call, DGX_H100, "remove nic:*"));
    assertEquals("", run(call, portless, "env NCCL_PROTO=Simple", "--given", ADDED).err());
    assertEquals("", run("whatif --sizes 1G", portless, "env NCCL_PROTO=Simple").err());
  }

  /** What the search assumes between nodes, 0.1 GB/s, is no network that a model knows. */
  @Test
  void timesBetweenNodesWithoutPortsAreNcclsOwn() {
    CliRun run = run("predict --sizes 1G --collective all_reduce --nodes 2", portless);
    assertTrue(run.out().contains("GB/s busbw (0.071 to 0.15) by NCCL's own model"), run.out());
    assertFalse(run.out().contains("network rdma"), run.out());
    CliRun peers = CliRun.of("predict", portless, "--collective", "alltoall", "--nodes", "2");
    assertEquals(1, peers.status(), peers.out());
  }
}
