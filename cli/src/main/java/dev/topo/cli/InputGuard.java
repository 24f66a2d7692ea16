package dev.topo.cli;

import dev.topo.model.io.OutputException;
import dev.topo.model.io.WholeFile;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Refuses to write the answer over a file that the command line names as input. */
final class InputGuard {
  private static final String OUTPUT = "--output";

  private InputGuard() {}

  /**
   * Looks at the arguments of a command.
   *
   * @throws OutputException if its output is one of its inputs, by whatever name
   */
  public static void check(ParseResult command) {
    OptionSpec option = command.matchedOption(OUTPUT);
    if (option == null || !(option.<Object>getValue() instanceof Path output)) {
      return;
    }
    Stream.<ArgSpec>concat(
            command.matchedOptions().stream().filter(other -> !other.equals(option)),
            command.matchedPositionals().stream())
        .filter(InputGuard::isOfFiles)
        .flatMap(argument -> argument.originalStringValues().stream())
        .filter(input -> namesFile(input, output))
        .findFirst()
        .ifPresent(
            input -> {
              throw new OutputException(
                  "-o " + output + ": is also an input, expected another file");
            });
  }

  /** Whether files are named by it, like FILE[*COUNT]; a name may be that of a file by chance. */
  private static boolean isOfFiles(ArgSpec argument) {
    return argument.paramLabel().contains("FILE")
        || argument.type() == Path.class
        || List.of(argument.auxiliaryTypes()).contains(Path.class);
  }

  /** Whether an argument, perhaps as FILE*COUNT, is a name of a file. */
  private static boolean namesFile(String argument, Path file) {
    try {
      return WholeFile.isSame(Path.of(argument.replaceFirst("\\*\\d+$", "")), file);
    } catch (InvalidPathException e) {
      return false;
    }
  }
}
