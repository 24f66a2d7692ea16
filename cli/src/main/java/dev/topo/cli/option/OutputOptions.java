package dev.topo.cli.option;

import dev.topo.cli.terminal.OutputPlan;
import dev.topo.cli.terminal.Streams;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.OutputException;
import dev.topo.model.job.SettingException;
import dev.topo.visualizer.view.Answer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the output files. */
public final class OutputOptions {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write the output to this file.")
  private @Nullable Path file;

  @Option(
      names = "--out-dir",
      paramLabel = "DIR",
      description = "Write one output per input file to this directory, named after the input.")
  private @Nullable Path directory;

  /** The file that the answer goes to, if the user names one. */
  public Optional<Path> file() {
    return Optional.ofNullable(file);
  }

  /**
   * Where the answers for some inputs go.
   *
   * @param extension of the files in a directory, with its dot
   * @param joinable whether several answers may follow each other on stdout
   * @param opened the files that the command reads
   */
  public OutputPlan plan(
      List<Path> inputs, String extension, boolean joinable, Inputs opened, Streams streams) {
    if (file != null && directory != null) {
      throw new OutputException("-o and --out-dir cannot be combined");
    }
    if (inputs.size() > 1 && file != null) {
      throw new OutputException(
          "-o %s is for one output, but there are %s input files: expected --out-dir DIR%s"
              .formatted(
                  file, inputs.size(), joinable ? ", or neither to write all to stdout" : ""));
    }
    if (inputs.size() > 1 && directory == null && !joinable) {
      throw new OutputException(inputs.size() + " input files need --out-dir DIR in this format");
    }
    if (directory != null) {
      return OutputPlan.inDirectory(directory, inputs, extension, opened);
    }
    return file == null ? OutputPlan.onStdout(streams) : OutputPlan.inFile(file, opened);
  }

  /** The option for the answer in one sentence, of commands whose answers say one. */
  public static final class BriefOption {
    @Option(
        names = {"-q", "--quiet"},
        description = "Print the answer in one sentence only.")
    private boolean quiet;

    /**
     * The sentence of an answer, if the user wants nothing else.
     *
     * @throws SettingException if the format has no place for a sentence alone
     */
    public Answer applyTo(Answer answer, String format) {
      check(format.equals("text"), "--format text");
      return quiet ? answer.inBrief() : answer;
    }

    /** Makes sure that the answer has a place for a sentence alone, if the user wants it. */
    public void check(boolean hasPlace, String expected) {
      if (quiet && !hasPlace) {
        throw new SettingException("--quiet prints a sentence, expected " + expected);
      }
    }
  }

  /** The format of an answer: a constant of the values of {@code --format}. */
  public interface Format {
    /** The name of the format. */
    String name();

    /** Extension of files in this format, with its dot. */
    default String extension() {
      return isText() ? ".txt" : "." + name();
    }

    /**
     * How the names of files in this format end, with the dot; empty if only the option picks it.
     */
    default List<String> endings() {
      return extension().equals(".html") ? List.of(".html", ".htm") : List.of(extension());
    }

    /** True if it is text: several outputs may follow each other. */
    default boolean isText() {
      return name().equals("text");
    }

    /** True if no program opens a file of it under another ending, as that of a picture. */
    default boolean needsItsEnding() {
      return false;
    }
  }
}
