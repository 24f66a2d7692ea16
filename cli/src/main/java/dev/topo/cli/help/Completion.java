package dev.topo.cli.help;

import java.util.function.Function;
import picocli.CommandLine;

/** The shells for which topo has completion scripts. */
public enum Completion {
  bash(BashCompletion::of),
  zsh(ZshCompletion::of),
  fish(FishCompletion::of);

  private final Function<CommandLine, String> script;

  Completion(Function<CommandLine, String> script) {
    this.script = script;
  }

  /** The completion script for a command with all its subcommands. */
  public String of(CommandLine topo) {
    return script.apply(topo);
  }
}
