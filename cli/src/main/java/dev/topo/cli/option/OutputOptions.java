package dev.topo.cli.option;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.terminal.CommandContext;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.model.io.OutputException;
import dev.topo.model.job.SettingException;
import dev.topo.visualizer.view.Answer;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the output files of a command with one answer per input. */
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

  /** Plans where the answers for these inputs are written. */
  public OutputPlan plan(List<Path> inputs, Format format, CommandContext context) {
    if (file != null && directory != null) {
      throw new OutputException("-o and --out-dir cannot be combined");
    }
    if (inputs.size() > 1 && file != null) {
      throw new OutputException(
          "-o %s is for one output, but there are %s input files: expected --out-dir DIR%s"
              .formatted(
                  file,
                  inputs.size(),
                  format.isText() ? ", or neither to write all to stdout" : ""));
    }
    if (inputs.size() > 1 && directory == null && !format.isText()) {
      throw new OutputException(inputs.size() + " input files need --out-dir DIR in this format");
    }
    if (directory != null) {
      return OutputPlan.inDirectory(directory, inputs, format.extension(), context.inputs());
    }
    return OutputPlan.to(file, context);
  }

  /** The option to print only one sentence, for commands whose answers contain one. */
  public static final class BriefOption {
    @Option(
        names = {"-q", "--quiet"},
        description = "Print the answer in one sentence only.")
    private boolean quiet;

    /**
     * The sentence of an answer if the user wants only that, else the whole answer.
     *
     * @throws SettingException if the user wants only the sentence but the format is not text
     */
    public Answer applyTo(Answer answer, String format) {
      check(format.equals("text"), "--format text");
      return quiet ? answer.inBrief() : answer;
    }

    /**
     * Refuses {@code --quiet} if the answer cannot be a sentence alone.
     *
     * @param expected what the user must ask for instead
     */
    public void check(boolean hasPlace, String expected) {
      refuseIf(quiet && !hasPlace, "--quiet prints a sentence, expected " + expected);
    }
  }

  /** An output format: one of the values of {@code --format}. */
  public interface Format {
    /** The name of the format. */
    String name();

    /** The extension of files in this format, including the dot. */
    default String extension() {
      return isText() ? ".txt" : name().equals("tuner") ? ".csv" : "." + name();
    }

    /**
     * The endings of file names that select this format, including the dot; empty if only {@code
     * --format} selects it.
     */
    default List<String> endings() {
      return extension().equals(".html") ? List.of(".html", ".htm") : List.of(extension());
    }

    /** True if it is text, in which several outputs may follow each other. */
    default boolean isText() {
      return name().equals("text");
    }

    /** True if it is a picture, which programs open only with the right extension. */
    default boolean isPicture() {
      return name().equals("svg") || name().equals("png");
    }
  }
}
