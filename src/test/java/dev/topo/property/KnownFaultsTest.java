package dev.topo.property;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.fixture.RandomCases;
import dev.topo.model.xml.XmlWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a release is known to fail at is no answer, whoever asks. */
class KnownFaultsTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final String NO_HEAD = "connectCollNet divides by zero";
  private static final String NO_NET = "Could not find NET with id 0";
  private static final String FUNCTION = "PCI function";

  @TempDir private Path folder;

  private static String answer(String command, String file, String release, String settings) {
    List<String> words = new ArrayList<>(List.of(command, ROOT.resolve(file).toString()));
    if (command.equals("whatif")) {
      words.add("env NCCL_DEBUG=INFO");
    }
    words.addAll(List.of("--nodes", "2", "--nccl", release, "--collective", "all_reduce"));
    words.addAll(List.of("--sizes", "64M"));
    for (String setting : settings.split(" ", -1)) {
      words.addAll(List.of("--env", setting));
    }
    Command run = Command.run(words);
    return run.out() + run.err();
  }

  @ParameterizedTest
  @CsvSource({
    "src/test/resources/faults/merged-nics.xml, 2.26.2, NCCL_IB_MERGE_NICS=1 NCCL_ALGO=Tree,"
        + NO_NET,
    "src/test/resources/faults/merged-nics.xml, 2.21.5, NCCL_DEBUG=INFO, ''",
    "src/test/resources/faults/merged-nics.xml, 2.26.2, NCCL_IB_MERGE_NICS=1 NCCL_ALGO=Ring, ''",
    "src/test/resources/faults/merged-nics.xml, 2.26.2, NCCL_IB_MERGE_NICS=1 NCCL_RUNTIME_CONNECT=0, "
        + NO_NET,
    "src/test/resources/faults/merged-nics.xml, 2.26.2, NCCL_IB_MERGE_NICS=1 NCCL_CUMEM_ENABLE=0, "
        + NO_NET,
    "src/test/resources/faults/merged-nics.xml, 2.29.3, NCCL_IB_MERGE_NICS=1 NCCL_ALGO=Tree, ''",
    "topologies/gb300-tray.xml, 2.26.2, NCCL_IB_MERGE_NICS=1, " + NO_NET,
    "topologies/gb300-tray.xml, 2.26.2, NCCL_DEBUG=INFO, ''",
    "src/test/resources/faults/collnet-part.xml, 2.28.9, NCCL_COLLNET_ENABLE=1, " + NO_HEAD,
    "src/test/resources/faults/collnet-part.xml, 2.30.7, NCCL_COLLNET_ENABLE=1, " + NO_HEAD,
    "src/test/resources/faults/collnet-part.xml, 2.28.9, NCCL_COLLNET_ENABLE=0, ''",
    "src/test/resources/faults/collnet-part.xml, 2.28.9, NCCL_COLLNET_ENABLE=1 NCCL_COLLNET_NODE_THRESHOLD=3, ''",
    "src/test/resources/faults/collnet-three-ports.xml, 2.28.9, NCCL_COLLNET_ENABLE=1, " + NO_HEAD,
    "src/test/resources/lint/gpu-function.xml, 2.30.7, NCCL_DEBUG=INFO, " + FUNCTION,
    "src/test/resources/lint/gpu-function.xml, 2.30.3, NCCL_DEBUG=INFO, ''",
    "src/test/resources/lint/gpu-function.xml, 2.28.9, NCCL_DEBUG=INFO, ''",
  })
  void everyQuestionFailsAsTheReleaseDoes(
      String file, String release, String settings, String fault) {
    for (String command : List.of("predict", "tune", "explain", "whatif")) {
      String answer = answer(command, file, release, settings);
      String expected = fault.isEmpty() ? "a fault of NCCL" : fault;
      assertEquals(!fault.isEmpty(), answer.contains(expected), command + ": " + answer);
    }
  }

  @Test
  void anUpgradeNamesTheFault() {
    Command run =
        Command.run(
            List.of("upgrade", ROOT.resolve("src/test/resources/lint/gpu-function.xml").toString()),
            "--from=2.28.9",
            "--to=2.30.7");
    assertEquals(1, run.status());
    assertTrue(run.out().contains(FUNCTION), run.out());
  }

  /**
   * In-network reduction on a part of the ports: an answer or a fault, and never a number that is
   * none.
   */
  @Test
  void anyPartOfThePortsMayReduce() throws IOException {
    int refused = 0;
    int cases = RandomCases.count(40, 400);
    for (long seed = 1; seed <= cases; seed++) {
      Random random = new Random(seed * 0x9E3779B97F4A7C15L);
      DrawnMachine machine = DrawnMachine.draw(random);
      if (!machine.parts().ports().isEmpty()) {
        String file =
            Pattern.compile(" coll=\"[01]\"|(?<=<net )")
                .matcher(XmlWriter.write(machine.document()).replaceAll(" coll=\"[01]\"", ""))
                .replaceAll(port -> "coll=\"%d\" ".formatted(random.nextInt(2)));
        Path path = Files.writeString(folder.resolve("machine.xml"), file);
        Command run =
            Command.run(
                List.of("tune", path.toString(), "--nodes=2", "--format=json"),
                "--env=NCCL_COLLNET_ENABLE=1");
        refused += run.err().contains(NO_HEAD) ? 1 : 0;
        assertTrue(run.status() == 3 || run.json().has("choices"), machine + ": " + run);
      }
    }
    assertTrue(refused > 0, "no machine with chains and no head among " + cases);
  }
}
