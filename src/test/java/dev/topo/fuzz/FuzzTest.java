package dev.topo.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.fuzz.Format.Reading;
import dev.topo.model.fixture.RandomCases;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Damages inputs of every format that the command reads: each call ends as the rules say, in time,
 * and leaves its input as it was. {@code -Dtest.iters} is the number of cases of a format; {@code
 * -Dtest.seed} and {@code -Dtest.case} repeat one of them, {@code -Dtest.format} takes the formats
 * with this in their names.
 */
@Tag("slow")
class FuzzTest {
  private static final int CASES = RandomCases.count(60, 2_000);
  private static final long SEED = Long.getLong("test.seed", 20260103);
  private static final int ONLY = Integer.getInteger("test.case", -1);
  private static final String FORMAT = System.getProperty("test.format", "");

  /** No call needs a second; a machine that does other work too may need much longer. */
  private static final int LIMIT_SECONDS = Integer.getInteger("test.limit", 20);

  private static final int MOST_SHRINKING_CALLS = 400;
  private static final Set<Rule> RULES = Rule.checked();

  private static final List<Format> FORMATS = Formats.all();
  private static final List<Path> INPUTS = Formats.inputs(FORMATS);

  @TempDir private Path folder;

  static List<Format> formats() {
    return FORMATS.stream().filter(format -> format.name().contains(FORMAT)).toList();
  }

  /** A case: what was damaged, and the command that reads it. */
  private record Case(int number, byte[] input, List<String> command) {}

  @ParameterizedTest
  @MethodSource("formats")
  void everyCallEndsInAnAnswerOrAMessage(Format format) throws Exception {
    Map<Path, byte[]> before = contents(INPUTS);
    Map<String, String> failures = new LinkedHashMap<>();
    int[] statuses = new int[5];
    int count = 0;
    long slowestNanos = 0;
    int slowest = -1;
    for (int i = ONLY < 0 ? 0 : ONLY; i < (ONLY < 0 ? CASES : ONLY + 1); i++) {
      Case drawn = draw(format, i);
      long start = System.nanoTime();
      Optional<Call> call = run(format, drawn.input(), drawn.command(), failures, i);
      long nanos = System.nanoTime() - start;
      if (nanos > slowestNanos) {
        slowestNanos = nanos;
        slowest = i;
      }
      if (call.isEmpty()) {
        break;
      }
      count++;
      if (call.get().status() >= 0 && call.get().status() < statuses.length) {
        statuses[call.get().status()]++;
      }
      for (Rule rule : RULES) {
        rule.broken(call.get())
            .ifPresent(
                how ->
                    failures.computeIfAbsent(
                        rule + " " + kind(how), key -> describe(format, drawn, rule, how)));
      }
    }
    System.out.println(
        String.format(
            Locale.ROOT,
            "fuzz %s %d cases (status 0 to 4: %s; slowest %d ms in case %d)",
            format,
            count,
            Arrays.toString(statuses),
            slowestNanos / 1_000_000,
            slowest));
    assertEquals("", String.join("\n", failures.values()), "broken in " + failures.size() + " ways");
    contents(INPUTS)
        .forEach((file, bytes) -> assertTrue(Arrays.equals(bytes, before.get(file)), file + ""));
    if (ONLY < 0) {
      // Else the damage is none, or nothing behind the first check is reached.
      assertTrue(statuses[0] + statuses[1] > 0, "no input was accepted");
      assertTrue(statuses[2] + statuses[3] > 0 || statuses[1] > 0, "no input was refused");
    }
  }

  /** A case depends on format, seed and number only. */
  private static Case draw(Format format, int number) {
    Random random = new Random((SEED * 1_000_003 + number) * 31 + format.name().hashCode());
    Reading reading = any(format.readings(), random);
    byte[] seed = any(reading.seeds(), random);
    List<String> command = any(reading.commands(), random);
    return new Case(number, format.mutator().mutate(seed, random), command);
  }

  private static <T> T any(List<T> list, Random random) {
    return list.get(random.nextInt(list.size()));
  }

  /** Runs a command line on an input; empty, and a failure, if it does not end or writes to it. */
  private Optional<Call> run(
      Format format, byte[] input, List<String> command, Map<String, String> failures, int number)
      throws Exception {
    Path file = folder.resolve(format.fileName());
    Files.write(file, input);
    List<String> words = words(command, file, input);
    AtomicReference<Thread> worker = new AtomicReference<>();
    ExecutorService executor =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "fuzz");
              thread.setDaemon(true);
              worker.set(thread);
              return thread;
            });
    try {
      Future<Call> future = executor.submit(() -> Call.of(words));
      Call call = future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
      if (!Arrays.equals(input, Files.readAllBytes(file))) {
        failures.put("input", where(format, number, words) + ": the input was changed");
      }
      try (Stream<Path> left = Files.list(folder)) {
        List<Path> others = left.filter(path -> !path.equals(file)).toList();
        if (!others.isEmpty()) {
          failures.put("files", where(format, number, words) + ": left " + others);
        }
      }
      return Optional.of(call);
    } catch (TimeoutException e) {
      String trace =
          Arrays.stream(worker.get().getStackTrace())
              .limit(15)
              .map(Object::toString)
              .collect(Collectors.joining("\n    at "));
      failures.put(
          "time",
          where(format, number, words)
              + ": not done after "
              + LIMIT_SECONDS
              + " s, in "
              + trace
              + "\n  input: "
              + shown(input));
      return Optional.empty();
    } catch (ExecutionException e) {
      throw new AssertionError(where(format, number, words), e);
    } finally {
      executor.shutdownNow();
    }
  }

  private static List<String> words(List<String> command, Path file, byte[] input) {
    // No argument of a process contains NUL.
    String text = new String(input, StandardCharsets.UTF_8).replace("\0", "");
    return command.stream()
        .map(word -> word.replace(Format.FILE, file.toString()).replace(Format.TEXT, text))
        .toList();
  }

  private String describe(Format format, Case drawn, Rule rule, String how) {
    byte[] smallest =
        new Shrinker(
                input -> {
                  try {
                    return run(format, input, drawn.command(), new LinkedHashMap<>(), drawn.number())
                        .flatMap(rule::broken)
                        .filter(again -> kind(again).equals(kind(how)))
                        .isPresent();
                  } catch (Exception e) {
                    return false;
                  }
                },
                MOST_SHRINKING_CALLS)
            .shrink(drawn.input());
    return where(format, drawn.number(), drawn.command())
        + ": "
        + rule
        + ": "
        + shown(how.getBytes(StandardCharsets.UTF_8))
        + "\n  smallest input: "
        + shown(smallest);
  }

  private static String where(Format format, int number, List<String> command) {
    return format
        + ", -Dtest.seed="
        + SEED
        + " -Dtest.case="
        + number
        + " (topo "
        + shown(String.join(" ", command).getBytes(StandardCharsets.UTF_8))
        + ")";
  }

  /** Failures with the same words are one defect, whatever names and numbers are in them. */
  private static String kind(String how) {
    return how.replaceAll("[^\\x20-\\x7e]", "?")
        .replaceAll("\"[^\"]*\"|'[^']*'|/\\S+|\\d+", "_")
        .lines()
        .findFirst()
        .map(line -> line.substring(0, Math.min(80, line.length())))
        .orElse("");
  }

  /** Bytes as text for a message: what is not printable is escaped. */
  private static String shown(byte[] bytes) {
    StringBuilder shown = new StringBuilder();
    for (char c : new String(bytes, StandardCharsets.UTF_8).toCharArray()) {
      if (c == '\n') {
        shown.append("\\n");
      } else if (c < ' ' || c > '~') {
        shown.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        shown.append(c);
      }
    }
    return shown.length() < 1_000
        ? shown.toString()
        : shown.substring(0, 1_000) + "... (" + bytes.length + " bytes)";
  }

  private static Map<Path, byte[]> contents(List<Path> files) {
    return files.stream()
        .collect(
            Collectors.toMap(
                file -> file,
                file -> {
                  try {
                    return Files.readAllBytes(file);
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                }));
  }
}
