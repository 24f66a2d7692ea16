package dev.topo.cli;

import dev.topo.cli.terminal.Streams;
import dev.topo.hw.run.RunFailure;
import dev.topo.model.io.FileFault;
import dev.topo.model.io.OutputException;
import dev.topo.model.io.PlainText;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.visualizer.chart.NoFontException;
import dev.topo.visualizer.view.OptionWords;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reports failures of all commands: a message on stderr, and an exit status for the cause. */
final class FailureReport {
  private FailureReport() {}

  /** Reports wrong usage of a command. */
  static int ofUsage(ParameterException fault, String... args) {
    ParameterException e = unknownOption(fault, args).orElse(fault);
    PrintWriter err = e.getCommandLine().getErr();
    err.println("topo: " + PlainText.oneLine(problem(e)));
    if (!UnmatchedArgumentException.printSuggestions(e, err)) {
      err.println("topo: try '" + e.getCommandLine().getCommandSpec().qualifiedName() + " --help'");
    }
    return ExitStatus.USAGE;
  }

  /**
   * Reports an unknown option rather than a missing argument, because it may be the reason for it.
   */
  private static Optional<ParameterException> unknownOption(
      ParameterException fault, String... args) {
    CommandLine command = fault.getCommandLine();
    if (!(fault instanceof MissingParameterException)) {
      return Optional.empty();
    }
    return Arrays.stream(args)
        .takeWhile(arg -> !arg.equals("--"))
        .filter(arg -> arg.startsWith("--"))
        .filter(arg -> !command.getCommandSpec().optionsMap().containsKey(arg.split("=", 2)[0]))
        .findFirst()
        .map(arg -> new UnmatchedArgumentException(command, List.of(arg)));
  }

  private static String problem(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unmatched
        && !unmatched.isUnknownOption()
        && e.getCommandLine().getParent() == null) {
      return "there is no command '" + unmatched.getUnmatched().get(0) + "'";
    }
    return String.valueOf(e.getMessage());
  }

  /**
   * Reports why a command failed.
   *
   * @param debug whether to print the stack trace
   * @return the exit status
   */
  static int of(Exception e, Streams streams, boolean debug) {
    if (debug) {
      StringWriter trace = new StringWriter();
      e.printStackTrace(new PrintWriter(trace));
      streams.err().print(PlainText.lines(trace.toString()));
    }
    if (e instanceof NoFontException) {
      streams.message(e.getMessage() + ": --format svg needs no font");
      return ExitStatus.MISSING;
    }
    if (e instanceof UncheckedIOException unchecked) {
      return fileError(Objects.requireNonNull(unchecked.getCause()), streams);
    }
    if (e instanceof IOException fault) {
      return fileError(fault, streams);
    }
    int status = status(e);
    streams.message(
        status == ExitStatus.BUG
            ? "this is a bug: " + e + (debug ? "" : " (--debug shows more)")
            : OptionWords.messageOf(e));
    return status;
  }

  /** Reports a file that cannot be read or written if no command has handled the error. */
  private static int fileError(IOException e, Streams streams) {
    if (e.getCause() instanceof IOException reason) {
      return fileError(reason, streams);
    }
    String file =
        e instanceof FileSystemException fault && fault.getFile() != null
            ? fault.getFile() + ": "
            : "";
    streams.message(file + "cannot be read or written (" + FileFault.text(e) + ")");
    return FileFault.isDiskFull(e) ? ExitStatus.MISSING : ExitStatus.USAGE;
  }

  private static int status(Exception e) {
    if (FileFault.isDiskFull(e)) {
      return ExitStatus.MISSING;
    }
    if (e instanceof TopologyFormatException || e instanceof UnusableTopologyException) {
      return ExitStatus.BAD_INPUT;
    }
    if (e instanceof SettingException || e instanceof OutputException) {
      return ExitStatus.USAGE;
    }
    if (e instanceof RunFailure failure) {
      return switch (failure.reason()) {
        case MISSING -> ExitStatus.MISSING;
        case NATIVE, STALLED, CRASHED -> ExitStatus.NO;
        case BUG -> ExitStatus.BUG;
      };
    }
    return e instanceof NothingFoundException ? ExitStatus.NO : ExitStatus.BUG;
  }
}
