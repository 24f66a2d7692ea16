package dev.topo.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.fixture.RandomCases;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Damages the structure of files in which tools show a machine: parts doubled, within themselves,
 * nested deeply, and behind the end. Each call ends as the rules say, its work is bounded by the
 * size of the input, and what {@code topo import} writes has no error for {@code topo lint}. {@code
 * -Dtest.iters}, {@code -Dtest.seed} and {@code -Dtest.case} as in {@link FuzzTest}.
 */
class StructureFuzzTest {
  private static final int CASES = RandomCases.count(40, 10_000);
  private static final long SEED = Long.getLong("test.seed", 20260302);
  private static final int ONLY = Integer.getInteger("test.case", -1);
  private static final int MOST_FAILURES = 10;

  /** What a call allocates without any input, with room for the machines that others compare. */
  private static final long MOST_BYTES = 192L << 20;

  private static final long MOST_BYTES_OF_A_BYTE = 300;

  @TempDir private Path folder;

  static List<Format> formats() {
    return MachineFormats.all();
  }

  @ParameterizedTest
  @MethodSource("formats")
  void everyCallEndsInAnAnswerOrAMessageAndBoundedWork(Format format) {
    Map<String, String> failures = new LinkedHashMap<>();
    StringBuilder faults = new StringBuilder();
    int[] statuses = new int[5];
    long most = 0;
    for (int i = Math.max(0, ONLY); i < (ONLY < 0 ? CASES : ONLY + 1); i++) {
      Case drawn = Case.draw(format, SEED, i);
      CountedCall counted = run(drawn);
      most = Math.max(most, counted.allocatedBytes());
      int status = counted.call().status();
      if (status >= 0 && status < statuses.length) {
        statuses[status]++;
      }
      fault(drawn, counted)
          .filter(fault -> failures.size() < MOST_FAILURES)
          .ifPresent(fault -> failures.putIfAbsent(fault, drawn + "\n  " + drawn.shownInput()));
    }
    System.out.printf(
        "structure fuzz %s %d cases (status 0 to 4: %s; most work %d bytes)%n",
        format, ONLY < 0 ? CASES : 1, Arrays.toString(statuses), most);
    failures.forEach((fault, shown) -> faults.append(fault + "\n  " + shown + "\n"));
    assertEquals("", faults.toString(), failures.size() + " failures");
    if (ONLY < 0) {
      assertTrue(statuses[0] > 0, "no input was accepted");
      assertTrue(statuses[3] > 0, "no input was refused");
    }
  }

  private CountedCall run(Case drawn) {
    Path file = folder.resolve(drawn.format().fileName());
    try {
      Files.write(file, drawn.input());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return CountedCall.of(
        drawn.command().stream().map(word -> word.replace(Format.FILE, file.toString())).toList());
  }

  private Optional<String> fault(Case drawn, CountedCall counted) {
    Call call = counted.call();
    for (Rule rule : Rule.values()) {
      Optional<String> broken = rule.broken(call);
      if (broken.isPresent()) {
        return Optional.of(rule + ": " + Case.shown(broken.get()));
      }
    }
    long bound = MOST_BYTES + MOST_BYTES_OF_A_BYTE * drawn.input().length;
    if (counted.allocatedBytes() > bound) {
      return Optional.of("work: more than the bound for " + drawn.input().length + " bytes");
    }
    return drawn.command().get(0).equals("import") && call.status() == 0
        ? linted(call.out())
        : Optional.empty();
  }

  /** The first error of what was imported. */
  private Optional<String> linted(String topology) {
    Path file = folder.resolve("imported.xml");
    try {
      Files.write(file, topology.getBytes(StandardCharsets.UTF_8));
      Call lint = Call.of(List.of("lint", file.toString()));
      Files.delete(file);
      return lint.out().lines().filter(line -> line.contains(": error: ")).findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
