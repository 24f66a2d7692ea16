package dev.topo.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.fixture.RandomCases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What lstopo and nvidia-smi print of random machines, alone and together, is imported, and the
 * topology file has no error for {@code topo lint}.
 */
class ImportTest {
  private static final int CASES = RandomCases.count(40, 2_000);
  private static final long SEED = Long.getLong("test.seed", 20260303);

  /** The tools of a case are the bits of a number from 1 on. */
  private static final int TOOLS = 7;

  @TempDir private Path folder;

  @Test
  void whatImportWritesHasNoErrorForLint() throws IOException {
    Path topology = folder.resolve("system.xml");
    for (int i = 0; i < CASES; i++) {
      Random random = new Random(SEED + i);
      RandomHost host = RandomHost.draw(random);
      int tools = 1 + i % TOOLS;
      String shown = "-Dtest.seed=" + (SEED + i) + ", tools " + tools + ": " + host;
      List<String> words = new ArrayList<>(List.of("import"));
      words.addAll(files(host, tools, random));
      words.addAll(List.of("-o", topology.toString()));
      if ((tools & 1) == 0) {
        words.addAll(List.of("--assume", host.assumption()));
      }
      Call imported = Call.of(words);
      assertEquals(0, imported.status(), shown + imported.err());
      Call lint = Call.of(List.of("lint", topology.toString()));
      assertFalse(lint.out().contains(": error: "), shown + lint.out());
      Call show = Call.of(List.of("show", topology.toString()));
      assertEquals(0, show.status(), shown + show.err());
      assertTrue(show.out().contains(host.gpus().size() + " GPU"), shown + show.out());
      Files.delete(topology);
    }
    System.out.println("import: " + CASES + " machines");
  }

  /** A table is the same in any spelling; CPUs give the NUMA nodes where no column does. */
  @Test
  void aMatrixIsReadInAnySpelling() throws IOException {
    for (int i = 0; i < CASES; i++) {
      RandomHost host = RandomHost.draw(new Random(SEED + i));
      String shown = "-Dtest.seed=" + (SEED + i) + ": " + host;
      String matrix = host.matrix().replaceAll("\u001b\\[[0-9;]*m", "");
      String expected = imported(host, matrix);
      assertEquals(expected, imported(host, matrix.replace("\t", "  ")), shown);
      assertEquals(
          expected,
          imported(host, matrix.replace("\t", " | ").replaceFirst("\n", "\n-- | --\n")),
          shown);
      String withoutNuma = matrix.replaceAll("\tNUMA.*", "").replaceAll("(?m)\t[01]\t\tN/A$", "");
      String numbers = " numaid=\"[0-9]\"";
      assertEquals(
          expected.replaceAll(numbers, ""),
          imported(host, withoutNuma).replaceAll(numbers, ""),
          shown + withoutNuma);
    }
    System.out.println("import: " + CASES + " tables");
  }

  private String imported(RandomHost host, String matrix) throws IOException {
    Call call =
        Call.of(List.of("import", written("matrix.txt", matrix), "--assume", host.assumption()));
    assertEquals(0, call.status(), matrix + call.err());
    return call.out();
  }

  private List<String> files(RandomHost host, int tools, Random random) throws IOException {
    List<String> files = new ArrayList<>();
    if ((tools & 1) != 0) {
      files.add(written("lstopo.xml", host.lstopo(random)));
    }
    if ((tools & 2) != 0) {
      files.add(written("matrix.txt", host.matrix()));
    }
    if ((tools & 4) != 0) {
      files.add(written("gpus.xml", host.query(random)));
    }
    return files;
  }

  private String written(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }
}
