package dev.topo.fuzz;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.fixture.Growth;
import dev.topo.model.fixture.RandomCases;
import dev.topo.model.fixture.Thorough;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Damages inputs of every format that the command reads: each call ends as the rules say and leaves
 * its input as it was. The thread has the name of the case, for one that does not end. {@code
 * -Dtest.iters} is the number of cases of a format; {@code -Dtest.seed} and {@code -Dtest.case}
 * repeat one of them, {@code -Dtest.format} takes the formats with this in their names.
 */
@Tag("slow")
class FuzzTest {
  private static final int CASES = RandomCases.count(40, 2_000);
  private static final long SEED = Long.getLong("test.seed", 20260105);
  private static final int ONLY = Integer.getInteger("test.case", -1);
  private static final String FORMAT = System.getProperty("test.format", "");

  /** What a call may allocate: twenty times what the usual cases need. */
  private static final long MOST_MIB = 1_024;

  private static final int MOST_SHRINKING_CALLS = 200;

  /** Described for a format: the first ones show what is wrong. */
  private static final int MOST_FAILURES = 20;

  private static final List<Format> FORMATS = Formats.all();

  @TempDir private Path folder;

  static List<Format> formats() {
    return FORMATS.stream().filter(format -> format.name().contains(FORMAT)).toList();
  }

  @ParameterizedTest
  @MethodSource("formats")
  void everyCallEndsInAnAnswerOrAMessage(Format format) throws IOException {
    Map<Path, byte[]> others = new LinkedHashMap<>();
    for (Path file : Formats.inputs(format)) {
      others.put(file, Files.readAllBytes(file));
    }
    Map<String, String> failures = new LinkedHashMap<>();
    int[] statuses = new int[5];
    long largestMib = 0;
    int largest = 0;
    int first = Math.max(0, ONLY);
    int end = ONLY < 0 ? CASES : ONLY + 1;
    for (int i = first; i < end; i++) {
      Case drawn = Case.draw(format, SEED, i);
      long before = Growth.bytesAllocated();
      Call call = drawn.run(folder);
      long mib = (Growth.bytesAllocated() - before) >> 20;
      if (mib > largestMib) {
        largestMib = mib;
        largest = i;
      }
      if (call.status() >= 0 && call.status() < statuses.length) {
        statuses[call.status()]++;
      }
      check(drawn, call, failures);
    }
    Thorough.print(
        "fuzz %s %d cases (status 0 to 4: %s; most work %d MiB in case %d)"
            .formatted(format, end - first, Arrays.toString(statuses), largestMib, largest));
    assertTrue(largestMib <= MOST_MIB, largestMib + " MiB allocated in case " + largest);
    assertEquals("", String.join("\n", failures.values()), failures.size() + " failures");
    for (Map.Entry<Path, byte[]> other : others.entrySet()) {
      assertArrayEquals(
          other.getValue(), Files.readAllBytes(other.getKey()), other.getKey().toString());
    }
    if (ONLY < 0) {
      // Else the damage is none, or nothing behind the first check is reached.
      assertTrue(statuses[0] + statuses[1] > 0, "no input was accepted");
      assertTrue(statuses[1] + statuses[2] + statuses[3] > 0, "no input was refused");
    }
  }

  /** Adds failures of other kinds than those before. */
  private void check(Case drawn, Call call, Map<String, String> failures) {
    for (Rule rule : Rule.values()) {
      Optional<String> how = rule.broken(call);
      if (how.isEmpty() || failures.size() == MOST_FAILURES) {
        continue;
      }
      String kind = rule.kind(how.get());
      String key = kind + " " + drawn.command();
      if (!failures.containsKey(key)) {
        Case smallest =
            drawn.with(
                new Shrinker(input -> fails(drawn.with(input), rule, kind), MOST_SHRINKING_CALLS)
                    .shrink(drawn.input()));
        failures.put(
            key,
            drawn
                + "\n  "
                + rule
                + ": "
                + Case.shown(how.get())
                + "\n  smallest input: "
                + smallest.shownInput());
      }
    }
  }

  private boolean fails(Case shorter, Rule rule, String kind) {
    Optional<String> how = rule.broken(shorter.run(folder));
    return how.isPresent() && rule.kind(how.get()).equals(kind);
  }
}
