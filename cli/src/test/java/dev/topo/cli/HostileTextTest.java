package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import dev.topo.model.io.PlainText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** Text from files and arguments cannot steer a terminal or pretend to be another line. */
class HostileTextTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));

  /** The end of a line, C1's CSI, an override of direction, DEL, the separator of lines. */
  private static final String HOSTILE = "\nFORGED \u009b2J\u202e\u0085\u007f\u2028\u2066";

  /** The same in a value of XML, with what HTML would obey. */
  private static final String NAME =
      "é中&quot;&lt;b&gt;`&#10;FORGED &#155;2J&#x202e;&#133;&#127;&#8232;&#x2066;";

  private static final String READ_NAME = "é中\"<b>`" + HOSTILE;

  @TempDir private Path folder;

  private Path machine() throws IOException {
    Path file = folder.resolve("machine\u009b\u202e.xml");
    String text = Files.readString(ROOT.resolve("topologies/rtx4090-2.xml"));
    Files.writeString(
        file,
        text.replace("name=\"eth0\"", "name=\"" + NAME + "\"")
            .replace("<nic>", "<!--" + HOSTILE + "--><nic odd\u00b7\u061c=\"" + NAME + "\">")
            .replace("\u00b7\u061c", ""));
    return file;
  }

  private static void check(CliRun run) {
    for (String text : List.of(run.out(), run.err())) {
      List<String> found =
          text.codePoints()
              .filter(c -> PlainText.isUnsafe(c) && c != '\n' && c != '\t')
              .mapToObj(Integer::toHexString)
              .toList();
      assertEquals(List.of(), found, text);
      // A line end in a text of HTML or SVG is a blank.
      assertFalse(
          !text.contains("</") && text.lines().anyMatch(line -> line.startsWith("FORGED")), text);
    }
    assertTrue(run.err().lines().allMatch(line -> line.startsWith("topo: ")), run.err());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "show FILE",
        "show FILE --format json",
        "paths FILE",
        "paths FILE --format json",
        "paths FILE --format tsv",
        "search FILE",
        "search FILE --format json",
        "search FILE --format xml",
        "connect FILE --nodes 2",
        "connect FILE --nodes 2 --format json",
        "tune FILE",
        "explain FILE",
        "predict FILE --collective all_reduce --sizes 1M",
        "predict FILE --collective all_reduce --sizes 1M --format csv",
        "predict FILE --collective all_reduce --sizes 1M --format json",
        "lint FILE",
        "lint FILE --diff",
        "lint FILE --format json",
        "lint FILE --format sarif",
        "lint FILE --format github",
        "diff FILE topologies/rtx4090-2.xml",
        "diff FILE topologies/rtx4090-2.xml --format json",
        "whatif FILE env=NCCL_ALGO=Ring",
        "draw FILE",
        "report FILE"
      })
  void namesOfAMachineAreShownAsPlainText(String call) throws IOException {
    String machine = machine().toString();
    CliRun run =
        CliRun.of(
            CliRun.words(call).stream()
                .map(word -> word.replace("FILE", machine))
                .map(word -> word.replace("env=", "env "))
                .map(word -> word.startsWith("topologies/") ? ROOT.resolve(word).toString() : word)
                .toArray(String[]::new));
    assertTrue(run.status() == 0 || run.status() == 1, run.status() + " " + run.err());
    check(run);
    if (call.endsWith("json") || call.endsWith("sarif")) {
      new JsonMapper().readTree(run.out());
    }
  }

  @Test
  void jsonHoldsTheNameAsItIs() throws IOException {
    CliRun run = CliRun.of("show", machine().toString(), "--format", "json");
    assertTrue(
        new JsonMapper()
            .readTree(run.out()).findValuesAsString("name").stream().anyMatch(READ_NAME::equals),
        run.out());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X",
        "--X",
        "show X",
        "show MACHINE --X",
        "show MACHINE --format X",
        "show MACHINE --gpus X",
        "show MACHINE --gpus=\u001b[31m",
        "show MACHINE --env X",
        "show MACHINE --env A=X",
        "show MACHINE --env NCCL_ALGO=X",
        "show MACHINE --env NCCL_IB_HCA=X",
        "show MACHINE --nodes X",
        "tune MACHINE --split X",
        "tune MACHINE --sizes X",
        "tune MACHINE --collective X",
        "search MACHINE -o X/y",
        "whatif MACHINE X",
        "whatif MACHINE gpu=X",
        "explain MACHINE --why-not X",
        "predict MACHINE --calibration X",
        "predict MACHINE --force X",
        "predict MACHINE --map X",
        "predict MACHINE --assume X",
        "predict MACHINE --assume gpus=X",
        "diff X X",
        "probe --sysfs-root X",
        "doctor --root X",
        "lint X"
      })
  void argumentsAreShownInOneLine(String call) {
    String machine = ROOT.resolve("topologies/rtx4090-2.xml").toString();
    CliRun run =
        CliRun.of(
            CliRun.words(call).stream()
                .map(word -> word.replace("MACHINE", machine).replace("X", "é" + HOSTILE))
                .toArray(String[]::new));
    assertTrue(run.status() <= 4, run.err());
    check(
        new CliRun(
            run.status(), run.out(), run.err().replaceAll("(?m)^(Possible|Did you)", "topo: $1")));
  }
}
