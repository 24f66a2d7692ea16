package dev.topo.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.fuzz.Format.Reading;
import dev.topo.inspect.trace.TraceReader;
import dev.topo.model.fixture.RandomCases;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Traces that are nested deep, contain themselves, are doubled or go on after their end: each is
 * read or refused with one message, in memory that its unpacked size bounds, and the command does
 * with those that are read what it does with any. {@code -Dtest.iters} is the number of cases of a
 * format, {@code -Dtest.seed} and {@code -Dtest.case} repeat one of them.
 */
@Tag("slow")
class TraceStructureTest {
  private static final int CASES = RandomCases.count(100, 10_000);
  private static final long SEED = Long.getLong("test.seed", 20261124);
  private static final int ONLY = Integer.getInteger("test.case", -1);

  /**
   * Bytes that a reader asks for, at most: buffers, and for each byte of the unpacked input what it
   * takes to read a rank of two characters in a list, with a matcher for each.
   */
  private static final long MOST_BUFFER_BYTES = 8L << 20;

  private static final long MOST_BYTES_PER_BYTE = 2_000;

  @TempDir private Path folder;

  static List<Format> formats() {
    return List.of(
        format("pickle", "binary trace", new PickleMutator()),
        format("JSON", "trace", new JsonMutator()),
        format("gzip", "trace", new GzipMutator()),
        format("CSV", "call table", new CsvMutator()));
  }

  /** The inputs of a format with other damage. */
  private static Format format(String name, String like, Mutator mutator) {
    Format known =
        Formats.all().stream().filter(one -> one.name().equals(like)).findFirst().orElseThrow();
    Reading one = known.readings().get(0);
    return new Format(
        name + " structure",
        known.fileName(),
        mutator,
        List.of(new Reading(one.seeds(), one.commands())));
  }

  @ParameterizedTest
  @MethodSource("formats")
  void isReadOrRefusedInBoundedMemory(Format format) throws IOException {
    int read = 0;
    long most = 0;
    int end = ONLY < 0 ? CASES : ONLY + 1;
    for (int i = Math.max(0, ONLY); i < end; i++) {
      Case drawn = Case.draw(format, SEED, i);
      Path file = Files.write(folder.resolve(format.fileName()), drawn.input());
      long before = allocated();
      boolean isRead = isRead(file, drawn);
      long bytes = allocated() - before;
      long size = unpackedSize(drawn.input());
      most = Math.max(most, bytes);
      assertTrue(
          bytes <= MOST_BUFFER_BYTES + MOST_BYTES_PER_BYTE * size,
          drawn + ": " + bytes + " bytes of memory for " + size);
      if (isRead) {
        read++;
        requireRules(drawn);
      }
    }
    System.out.println(
        String.format(
            Locale.ROOT,
            "fuzz %s %d cases (%d read; at most %d MiB asked for)",
            format,
            end - Math.max(0, ONLY),
            read,
            most >> 20));
    if (ONLY < 0) {
      assertTrue(read > 0 && read < CASES, read + " of " + CASES + " were read");
    }
  }

  /** Anything else than a refusal in one line fails the test. */
  private static boolean isRead(Path file, Case drawn) {
    try {
      TraceReader.read(file, 0, new Inputs());
      return true;
    } catch (TopologyFormatException e) {
      String message = String.valueOf(e.getMessage());
      assertEquals(1, message.lines().count(), drawn + ": " + message);
      assertTrue(message.startsWith(file.toString()), drawn + ": " + message);
      return false;
    } catch (RuntimeException | Error e) {
      throw new AssertionError(drawn.toString() + "\n" + drawn.shownInput(), e);
    }
  }

  private void requireRules(Case drawn) {
    Call call = drawn.run(folder);
    for (Rule rule : Rule.values()) {
      Optional<String> how = rule.broken(call);
      assertEquals(Optional.empty(), how, drawn + "\n" + drawn.shownInput());
    }
  }

  private static long allocated() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getCurrentThreadAllocatedBytes();
  }

  /** The size of the content; as far as it can be unpacked. */
  private static long unpackedSize(byte[] input) {
    long size = input.length;
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(input))) {
      byte[] buffer = new byte[1 << 12];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        size += read;
      }
    } catch (IOException e) {
      return size;
    }
    return size;
  }
}
