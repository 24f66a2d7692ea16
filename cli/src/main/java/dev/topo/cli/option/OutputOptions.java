package dev.topo.cli.option;

import dev.topo.cli.output.OutputException;
import dev.topo.cli.output.OutputPlan;
import dev.topo.cli.output.Streams;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the output files. */
public final class OutputOptions {
  /** How files of known formats end. */
  private static final List<String> ENDINGS =
      List.of(
          ".svg", ".png", ".dot", ".gv", ".mmd", ".html", ".htm", ".json", ".csv", ".tsv", ".txt",
          ".xml", ".md", ".jpg", ".jpeg", ".pdf", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".eps");

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
   * Makes sure that the file is not named like one of another format.
   *
   * @param expected how it may end, if it ends like a file of a known format
   */
  public void refuseOtherFormats(String... expected) {
    String name = file == null ? "" : file.toString().toLowerCase(Locale.ROOT);
    Optional<String> ending = ENDINGS.stream().filter(name::endsWith).findFirst();
    if (ending.isPresent() && !List.of(expected).contains(ending.get())) {
      throw new OutputException(
          "-o %s: ends in %s, expected %s"
              .formatted(file, ending.get(), String.join(" or ", expected)));
    }
  }

  /**
   * The format of a picture: the given one, or the one that the file is named after, or the first.
   *
   * @param extension of files in a format, with its dot
   */
  public <E> E byFileName(@Nullable E given, E[] formats, Function<E, String> extension) {
    if (given != null) {
      refuseOtherFormats(extension.apply(given));
      return given;
    }
    refuseOtherFormats(Arrays.stream(formats).map(extension).toArray(String[]::new));
    String name = file == null ? "" : file.toString().toLowerCase(Locale.ROOT);
    return Arrays.stream(formats)
        .filter(format -> name.endsWith(extension.apply(format)))
        .findFirst()
        .orElse(formats[0]);
  }

  /**
   * Where the answers for some inputs go.
   *
   * @param extension of the files in a directory, with its dot
   * @param joinable whether several answers may follow each other on stdout
   */
  public OutputPlan plan(List<Path> inputs, String extension, boolean joinable, Streams streams) {
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
      return OutputPlan.inDirectory(directory, inputs, extension);
    }
    return file == null ? OutputPlan.onStdout(streams) : OutputPlan.inFile(file);
  }
}
