package dev.topo.cli;

import dev.topo.cli.Subcommand.HelpOptions;
import dev.topo.cli.help.HelpPage;
import dev.topo.cli.option.CallOptions.CollectiveOptions;
import dev.topo.cli.option.OutputOptions.Format;
import dev.topo.cli.terminal.Progress;
import dev.topo.cli.terminal.Progress.Task;
import dev.topo.cli.terminal.Streams;
import dev.topo.model.Last;
import dev.topo.model.io.OutputException;
import dev.topo.model.io.PlainText;
import dev.topo.model.io.WholeFile;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Builds topo's command line with picocli. */
final class CommandLineFactory {
  private CommandLineFactory() {}

  /** Builds the command line with these subcommands. */
  static CommandLine of(TopoCommand top, List<String> subcommands) {
    Streams streams = top.context().streams();
    CommandLine line = new CommandLine(top);
    subcommands.forEach(name -> line.addSubcommand(CommandTable.create(name)));
    Stream.concat(Stream.of(line), line.getSubcommands().values().stream())
        .forEach(command -> command.getCommandSpec().versionProvider(HelpOptions::version));
    SharedOptions.adapt(line);
    line.registerConverter(Path.class, Streams::file);
    line.setOut(
        new PrintWriter(new OutputStreamWriter(streams.out(), StandardCharsets.UTF_8), true));
    line.setErr(
        new PrintWriter(
            PlainText.writer(new OutputStreamWriter(streams.err(), StandardCharsets.UTF_8)), true));
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setExpandAtFiles(false);
    line.setHelpSectionKeys(List.of("page"));
    line.setHelpSectionMap(
        Map.of("page", page -> help(page.commandSpec(), top.context().helpWidth())));
    line.setExecutionStrategy(parsed -> execute(streams.progress(), parsed));
    line.setParameterExceptionHandler(FailureReport::ofUsage);
    line.setExecutionExceptionHandler(
        (e, command, result) -> FailureReport.of(e, streams, top.isDebug()));
    return line;
  }

  private static String help(CommandSpec spec, int width) {
    ParseResult parsed = spec.commandLine().getParseResult();
    return spec.parent() == null
        ? HelpPage.of(spec, CommandTable.GROUPS, width)
        : HelpPage.of(spec, parsed != null && parsed.originalArgs().contains(HelpPage.ALL), width);
  }

  /** Refuses to overwrite, with the output, a file that the command line names as input. */
  static final class InputGuard {
    private static final String OUTPUT = "--output";

    private InputGuard() {}

    /**
     * Checks the arguments of a command.
     *
     * @throws OutputException if the output is one of the inputs, even under another name
     */
    static void check(ParseResult command) {
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

    /**
     * True if the argument names files, such as FILE[*COUNT]. The value of any other argument may
     * match a file name by chance.
     */
    private static boolean isOfFiles(ArgSpec argument) {
      return argument.paramLabel().contains("FILE")
          || argument.type() == Path.class
          || List.of(argument.auxiliaryTypes()).contains(Path.class);
    }

    /** True if an argument, which may have the form FILE*COUNT, names a file. */
    private static boolean namesFile(String argument, Path file) {
      try {
        return WholeFile.isSame(Path.of(argument.replaceFirst("\\*\\d+$", "")), file);
      } catch (InvalidPathException e) {
        return false;
      }
    }
  }

  /**
   * Chooses the format by the ending of the output file if the user names no format, and refuses an
   * ending that belongs to no format of the command. A name without an ending fits every format.
   */
  static final class FileEnding {
    private static final String FORMAT = "--format";

    /**
     * A file name with an ending. Digits after a dot, as in a version or a date, are not an ending.
     */
    private static final Pattern ENDING = Pattern.compile("[^/]+(\\.[a-z][a-z0-9]*)");

    private FileEnding() {}

    /**
     * Sets the format of a command by its output file, or checks the ending.
     *
     * @param fixedEndings the endings that fit a command with one output format; empty for other
     *     commands
     * @throws OutputException if the ending belongs to no format of the command
     */
    static void apply(ParseResult command, List<String> fixedEndings) {
      OptionSpec output = command.matchedOption("--output");
      if (output == null || !(output.<Object>getValue() instanceof Path file)) {
        return;
      }
      OptionSpec option = command.commandSpec().findOption(FORMAT);
      if (!fixedEndings.isEmpty() || option == null) {
        check(file, fixedEndings);
      } else if (!command.hasMatchedOption(FORMAT)) {
        formatOf(file, formats(option)).ifPresent(option::setValue);
      } else if (option.<Format>getValue().isPicture()) {
        check(file, option.<Format>getValue().endings());
      }
    }

    private static List<Format> formats(OptionSpec option) {
      return Arrays.stream(option.type().getEnumConstants()).map(Format.class::cast).toList();
    }

    /** The format with the longest ending that the file name has. */
    private static Optional<Format> formatOf(Path file, List<Format> formats) {
      check(
          file, formats.stream().flatMap(format -> format.endings().stream()).distinct().toList());
      return formats.stream()
          .filter(format -> longestEndingLength(file, format) > 0)
          .min(Comparator.comparingInt(format -> -longestEndingLength(file, format)));
    }

    private static int longestEndingLength(Path file, Format format) {
      return format.endings().stream()
          .filter(ending -> name(file).endsWith(ending))
          .mapToInt(String::length)
          .max()
          .orElse(0);
    }

    private static void check(Path file, List<String> expected) {
      Matcher name = ENDING.matcher(name(file));
      if (name.matches() && expected.stream().noneMatch(name(file)::endsWith)) {
        throw new OutputException(
            "-o %s: ends in %s, expected %s"
                .formatted(file, name.group(1), String.join(" or ", expected)));
      }
    }

    private static String name(Path file) {
      return String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    }
  }

  /** Runs the innermost command of a command line and shows its progress. */
  private static int execute(Progress progress, ParseResult parsed) {
    CommandLine command = Last.of(parsed.asCommandLineList());
    String name = command.getCommandSpec().qualifiedName();
    try (Task task = progress.begin(name)) {
      InputGuard.check(command.getParseResult());
      if (command.getCommandSpec().userObject() instanceof Subcommand subcommand) {
        FileEnding.apply(command.getParseResult(), subcommand.fileEndings());
      }
      return new CommandLine.RunLast().execute(parsed);
    } catch (OutputException e) {
      // Thrown outside a command: by the checks above, --help or --version.
      throw new ExecutionException(parsed.commandSpec().commandLine(), name, e);
    }
  }

  /** Options that several commands share but whose meaning depends on the command. */
  static final class SharedOptions {
    /** Command, option, and the description of the option in that command, separated by blanks. */
    private static final List<String> DESCRIPTIONS =
        List.of(
            "whatif --sizes Bytes, as first:last:factor or a list (default: 64K,1M,64M,1G).",
            "explain --sizes Bytes of the call that is explained (default: 64M).",
            "explain --collective One of all_reduce, all_gather, reduce_scatter, broadcast, reduce, alltoall, sendrecv,"
                + " gather, scatter (default: all_reduce).",
            "chart --collective " + CollectiveOptions.NAMES + " (default: those of DATA).",
            "report --collective "
                + CollectiveOptions.NAMES
                + " (default: those measured, else all).",
            "advise --collective "
                + CollectiveOptions.NAMES
                + " (default: all, alltoall, sendrecv).",
            "predict --nodes Number of equal machines in the job (default: 1), or several: 1,2,4,8 or 1:1024:2.",
            "upgrade --nodes Number of equal machines in the job (default: 1; for a fleet 2 if the node has network ports).");

    private SharedOptions() {}

    /** Adapts the options of those subcommands that the command line contains. */
    static void adapt(CommandLine topo) {
      for (String description : DESCRIPTIONS) {
        String[] part = description.split(" ", 3);
        replace(topo, part[0], part[1], option -> option.description(part[2]));
      }
      followNcclTests(topo);
    }

    /**
     * Makes {@code topo run} parse options like nccl-tests: {@code -V} is not the version, and
     * numbers are parsed as in C.
     */
    private static void followNcclTests(CommandLine topo) {
      replace(topo, "run", "--version", option -> option.names("--version"));
      replace(
          topo, "run", "--device_cta_count", option -> option.names("-V", "--device_cta_count"));
      CommandLine run = topo.getSubcommands().get("run");
      if (run != null) {
        run.registerConverter(int.class, CNumberOption::ofInt);
        run.registerConverter(Integer.class, CNumberOption::ofInt);
        run.registerConverter(long.class, CNumberOption::ofLong);
      }
    }

    private static void replace(
        CommandLine topo, String command, String option, UnaryOperator<OptionSpec.Builder> change) {
      CommandLine subcommand = topo.getSubcommands().get(command);
      if (subcommand != null) {
        CommandSpec spec = subcommand.getCommandSpec();
        OptionSpec shared = spec.findOption(option);
        spec.remove(shared);
        spec.addOption(change.apply(OptionSpec.builder(shared)).build());
      }
    }
  }
}
