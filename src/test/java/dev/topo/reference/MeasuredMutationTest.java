package dev.topo.reference;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.measured.RunReader;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.SettingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is done to the results of a run, the reader answers or says what is wrong. */
class MeasuredMutationTest {
  private static final Path RUNS =
      Path.of(System.getProperty("topo.root"), "src/test/resources/measured/h200-x4-run");
  private static final int MUTANTS = Integer.getInteger("test.iters", 500);
  private static final String[] PIECES = {
    "0",
    "-1",
    "99999999999999999999",
    "1e999",
    "null",
    "true",
    "\"\"",
    "{",
    "]",
    ",",
    "#",
    "\n",
    "NaN",
    "é"
  };

  @ParameterizedTest
  @ValueSource(
      strings = {
        "all_reduce.nccl-tests.txt",
        "all_reduce.processes.json",
        "verify.json",
        "../h200-x4-channels.csv"
      })
  void mutantsAreReadOrRefused(String name) throws IOException {
    String text = Files.readString(RUNS.resolve(name));
    int answered = 0;
    long seed = Long.getLong("test.seed", 1);
    Random random = new Random(seed);
    for (int i = 0; i < MUTANTS; i++) {
      String mutant = mutate(text, random);
      try {
        RunReader.read(mutant, "mutant", RunHints.NOTHING);
        answered++;
      } catch (TopologyFormatException | SettingException e) {
        assertTrue(String.valueOf(e.getMessage()).lines().count() == 1, e.getMessage());
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed + ", mutant " + i + " of " + name, e);
      }
    }
    assertTrue(answered > 0 && answered < MUTANTS, answered + " of " + MUTANTS);
  }

  private static String mutate(String text, Random random) {
    StringBuilder mutant = new StringBuilder(text);
    for (int edits = 1 + random.nextInt(3); edits > 0; edits--) {
      int at = random.nextInt(mutant.length());
      int length = Math.min(mutant.length() - at, random.nextInt(8));
      mutant.replace(at, at + length, PIECES[random.nextInt(PIECES.length)]);
    }
    if (random.nextInt(10) == 0) {
      mutant.setLength(random.nextInt(mutant.length()) + 1);
    }
    return mutant.toString();
  }
}
