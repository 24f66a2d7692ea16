package dev.topo.cli;

import dev.topo.cli.terminal.Progress;
import dev.topo.model.io.OutputException;
import picocli.CommandLine;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.ParseResult;

/**
 * Runs the command of a command line as a task whose progress is shown.
 *
 * @param progress of the process
 */
record CommandExecution(Progress progress) implements IExecutionStrategy {
  @Override
  public int execute(ParseResult parsed) {
    CommandLine command = parsed.asCommandLineList().get(parsed.asCommandLineList().size() - 1);
    String name = command.getCommandSpec().qualifiedName();
    try (Progress.Task whole = progress.begin(name)) {
      InputGuard.check(command.getParseResult());
      if (command.getCommandSpec().userObject() instanceof Subcommand subcommand) {
        FileEnding.apply(command.getParseResult(), subcommand.fileEndings());
      }
      return new CommandLine.RunLast().execute(parsed);
    } catch (OutputException e) {
      // From what is not run like a command: this check, --help and --version.
      throw new ExecutionException(parsed.commandSpec().commandLine(), name, e);
    }
  }
}
