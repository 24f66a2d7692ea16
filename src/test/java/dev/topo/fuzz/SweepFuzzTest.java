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
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Damages specifications and result folders of a sweep: each call ends as the rules say, its work
 * is bounded by the size of the input, and no file of the folder changes. {@code -Dtest.iters},
 * {@code -Dtest.seed} and {@code -Dtest.case} are those of {@link FuzzTest}.
 */
@Tag("slow")
class SweepFuzzTest {
  private static final int CASES = RandomCases.count(60, 10_000);
  private static final long SEED = Long.getLong("test.seed", 20261124);
  private static final int ONLY = Integer.getInteger("test.case", -1);
  private static final int MOST_FAILURES = 10;

  /** Specifications whose variants are tried too: that takes longer than reading them. */
  private static final int DRY_RUN_EACH = 25;

  /** Cases that make a page, which takes longest. */
  private static final int PAGE_EACH = 25;

  /** Allocated by a call whose input is small, at most: a page with a chart takes most. */
  private static final long BASE_BYTES = 96L << 20;

  /** Allocated for each byte of the input, at most: lines, cells, tokens and their numbers. */
  private static final long BYTES_FOR_EACH = 1_000;

  private static final String SPEC =
      """
      name: fuzzed
      machines: [%s]
      axes:
        speed: {a: , b: 'gpu:0.sm=86', c: env NCCL_ALGO=Ring}
        buffer: {small: env NCCL_BUFFSIZE=1048576, usual: }
      nodes: [1, 2]
      fabrics: {wide: wide, leaf: {leaf: node, ports: 4, oversubscription: 2}}
      collectives: [all_reduce, broadcast]
      sizes: [1M, 64M]
      workloads:
        step: [{collective: all_reduce, bytes: 1M, count: 2}, {collective: all_gather, bytes: 2M, count: 1, group: node}]
      prices: {node: 10, nic: 1, speed: {b: 2}}
      objective: speed-per-price
      limits: {time-us: 9000000}
      """
          .formatted(Path.of(System.getProperty("topo.root"), "topologies/rtx3090-2-bridged.xml"));

  private static final List<String> READERS =
      List.of(
          "sweep show {folder}",
          "sweep show {folder} --format json",
          "sweep show {folder} --format csv",
          "sweep show {folder} --diff 0,1",
          "sweep merge {folder}",
          "sweep {spec} -o {folder} --jobs 1");

  @TempDir private static Path folder;
  private static Path spec;
  private static Path results;

  private final Map<String, String> failures = new LinkedHashMap<>();
  private final int[] statuses = new int[5];
  private long mostBytes;

  @BeforeAll
  static void makeResults() throws IOException {
    spec = Files.writeString(folder.resolve("fuzzed.yaml"), SPEC);
    results = folder.resolve("results");
    Call call = Call.of(words("sweep {spec} -o {folder} --jobs 1"));
    assertEquals(0, call.status(), call.err());
  }

  private static List<String> words(String command) {
    return Arrays.stream(command.split(" ", -1))
        .map(
            word -> word.replace("{folder}", results.toString()).replace("{spec}", spec.toString()))
        .toList();
  }

  private static Map<String, String> files() throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.list(results)) {
      for (Path file : all.toList()) {
        files.put(
            String.valueOf(file.getFileName()),
            Files.readString(file, StandardCharsets.ISO_8859_1));
      }
    }
    return files;
  }

  private static Random random(int number, String format) {
    return new Random((SEED * 1_000_003 + number) * 31 + format.hashCode());
  }

  private static int[] numbers() {
    return ONLY < 0 ? IntStream.range(0, CASES).toArray() : new int[] {ONLY};
  }

  @Test
  void eachSpecificationIsReadOrRefused() throws IOException {
    Path file = folder.resolve("damaged.yaml");
    YamlMutator mutator = new YamlMutator();
    for (int number : numbers()) {
      byte[] damaged =
          mutator.mutate(SPEC.getBytes(StandardCharsets.UTF_8), random(number, "yaml"));
      Files.write(file, damaged);
      check("sweep show {folder} --spec " + file, number, damaged, damaged.length);
      if (number % DRY_RUN_EACH == 0) {
        check("sweep " + file + " --dry-run --jobs 1", number, damaged, Integer.MAX_VALUE);
      }
    }
    assertDone("specifications of a sweep");
  }

  @Test
  void eachFolderIsReadOrRefusedAndKept() throws IOException {
    Map<String, String> before = files();
    List<String> names = before.keySet().stream().filter(name -> !name.endsWith(".lock")).toList();
    Map<String, Mutator> mutators =
        Map.of("gz", new PartMutator(), "json", new SweepJsonMutator(), "yaml", new YamlMutator());
    for (int number : numbers()) {
      Random random = random(number, "folder");
      String name = names.get(random.nextInt(names.size()));
      Path file = results.resolve(name);
      byte[] seed = Files.readAllBytes(file);
      byte[] damaged = mutators.get(name.substring(name.lastIndexOf('.') + 1)).mutate(seed, random);
      Files.write(file, damaged);
      String command =
          number % PAGE_EACH == 0
              ? "sweep show {folder} --format html --top 2"
              : READERS.get(random.nextInt(READERS.size()));
      check(command, number, damaged, unpackedLength(name, damaged));
      Map<String, String> expected = new TreeMap<>(before);
      expected.put(name, new String(damaged, StandardCharsets.ISO_8859_1));
      if (!Arrays.equals(damaged, Files.readAllBytes(file)) && command.contains("-o")) {
        expected = before; // a description or specification of this sweep, which is written anew
      }
      Map<String, String> after = files();
      assertEquals(expected.keySet(), after.keySet(), "case " + number);
      assertEquals(expected, after, "case " + number);
      Files.write(file, seed);
    }
    assertDone("result folders of a sweep");
  }

  private static long unpackedLength(String name, byte[] damaged) {
    try {
      return name.endsWith(".gz")
          ? damaged.length + GzipMutator.unpacked(damaged).length
          : damaged.length;
    } catch (UncheckedIOException e) {
      return damaged.length + (1 << 16);
    }
  }

  private void check(String command, int number, byte[] input, long size) {
    CountedCall counted = CountedCall.of(words(command));
    Call call = counted.call();
    if (call.status() >= 0 && call.status() < statuses.length) {
      statuses[call.status()]++;
    }
    String of = "-Dtest.seed=%d -Dtest.case=%d: topo %s".formatted(SEED, number, command);
    for (Rule rule : Rule.values()) {
      rule.broken(call)
          .filter(how -> failures.size() < MOST_FAILURES)
          .ifPresent(
              how ->
                  failures.putIfAbsent(
                      rule + rule.kind(how),
                      of + "\n  " + rule + ": " + Case.shown(how) + "\n  " + shown(input)));
    }
    if (size < Integer.MAX_VALUE) {
      mostBytes = Math.max(mostBytes, counted.allocatedBytes());
      if (counted.allocatedBytes() > BASE_BYTES + BYTES_FOR_EACH * size) {
        failures.putIfAbsent(
            "work",
            "%s%n  allocates %d bytes for %d".formatted(of, counted.allocatedBytes(), size));
      }
    }
  }

  private static String shown(byte[] input) {
    return Case.shown(new String(input, StandardCharsets.UTF_8));
  }

  private void assertDone(String what) {
    System.out.println(
        "fuzz %s %d cases (status 0 to 4: %s; at most %d KiB allocated)"
            .formatted(what, numbers().length, Arrays.toString(statuses), mostBytes >> 10));
    assertEquals("", String.join("\n", failures.values()), failures.size() + " failures");
    if (ONLY < 0) {
      assertTrue(statuses[0] + statuses[1] > 0, "no input was accepted");
      assertTrue(statuses[3] > 0, "no input was refused");
    }
  }
}
