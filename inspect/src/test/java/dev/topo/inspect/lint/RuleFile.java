package dev.topo.inspect.lint;

import dev.topo.search.rules.NcclProfile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * A file that breaks a rule, as {@code expected.tsv} lists it with what NCCL is expected to do.
 *
 * @param file its name
 * @param rule the rule that it is there for
 * @param variable how it is given to NCCL
 * @param run {@code ok}, {@code fail}, or {@code any} where that depends on the machine
 * @param log what NCCL says; empty if nothing
 */
record RuleFile(String file, LintRule rule, String variable, String run, String log) {
  private static final Path FOLDER =
      Path.of(System.getProperty("topo.root")).resolve("src/test/resources/lint");

  static List<RuleFile> all() {
    try {
      return Files.readAllLines(FOLDER.resolve("expected.tsv")).stream()
          .skip(1)
          .map(line -> line.split("\t", -1))
          .map(
              cell ->
                  new RuleFile(
                      cell[0],
                      LintRule.valueOf(cell[1].toUpperCase(Locale.ROOT).replace('-', '_')),
                      cell[2],
                      cell[3],
                      cell[4]))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path path() {
    return FOLDER.resolve(file);
  }

  boolean exists() {
    return rule != LintRule.FILE_MISSING;
  }

  SourceText source() {
    return source(file);
  }

  static SourceText source(String file) {
    try {
      return new SourceText(file, Files.readAllBytes(FOLDER.resolve(file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  FileKind kind() {
    return switch (variable) {
      case "NCCL_GRAPH_FILE" -> FileKind.GRAPH;
      case "NCCL_CONF_FILE" -> FileKind.CONF;
      case "NCCL_TUNER_CONFIG_FILE" -> FileKind.TUNER;
      default -> FileKind.TOPOLOGY;
    };
  }

  /** With the machine beside it where the rule needs one. */
  Linter linter() {
    if (rule.subject() == Subject.MACHINE || rule == LintRule.CONF_TOPOLOGY) {
      return Linter.against(source("machine.xml"), NcclProfile.DEFAULT);
    }
    if (rule == LintRule.GRAPH_NO_SUCH_GPU || rule == LintRule.GRAPH_NO_SUCH_NET) {
      return Linter.against(source("graph-machine.xml"), NcclProfile.DEFAULT);
    }
    return new Linter();
  }

  List<LintFinding> findings() {
    return exists()
        ? linter().lint(source(), kind())
        : List.of(Linter.missing(file, "no such file"));
  }

  @Override
  public String toString() {
    return file;
  }
}
