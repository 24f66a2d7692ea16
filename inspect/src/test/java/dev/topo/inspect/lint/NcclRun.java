package dev.topo.inspect.lint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What real NCCL did with a file, as {@code nccl/runs.tsv} has kept it.
 *
 * @param file its name
 * @param form {@code as written}, or {@code on this machine} with bus ids of the machine
 * @param exit the exit status of the process, or {@code crashed}
 * @param said what NCCL warned of or passed over
 */
record NcclRun(String file, String form, String exit, String said) {
  static final Path FOLDER =
      Path.of(System.getProperty("topo.root")).resolve("src/test/resources/lint/nccl");

  static List<NcclRun> all() {
    try {
      return Files.readAllLines(FOLDER.resolve("runs.tsv")).stream()
          .skip(1)
          .map(line -> line.split("\t", -1))
          .map(cell -> new NcclRun(cell[0], cell[1], cell[2], cell[3]))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean failed() {
    return !exit.equals("0");
  }

  /** True if NCCL did what the list expects. */
  boolean confirms(RuleFile expected) {
    return file.equals(expected.file())
        && (expected.run().equals("any") || failed() == expected.run().equals("fail"))
        && said.contains(expected.log());
  }
}
