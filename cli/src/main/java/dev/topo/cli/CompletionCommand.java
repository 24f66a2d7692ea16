package dev.topo.cli;

import dev.topo.cli.help.Completion;
import dev.topo.visualizer.view.Answer;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code topo completion}: prints the script that completes topo's command lines in a shell. */
@Command(
    name = "completion",
    description = "The script with which bash, zsh or fish completes commands and options.")
final class CompletionCommand extends Subcommand {
  @Parameters(paramLabel = "SHELL", description = "One of ${COMPLETION-CANDIDATES}.")
  private @Nullable Completion shell;

  @Override
  public Integer call() {
    String script = Objects.requireNonNull(shell).of(topo());
    plan(null).write(Path.of("completion"), Answer.of(script));
    return ExitStatus.DONE;
  }
}
