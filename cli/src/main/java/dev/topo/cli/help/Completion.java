package dev.topo.cli.help;

import picocli.CommandLine;

/** The shells that complete command lines of topo on Tab. */
public enum Completion {
  bash {
    @Override
    public String of(CommandLine topo) {
      return BashCompletion.of(topo);
    }
  },
  zsh {
    @Override
    public String of(CommandLine topo) {
      return ZshCompletion.of(topo);
    }
  },
  fish {
    @Override
    public String of(CommandLine topo) {
      return FishCompletion.of(topo);
    }
  };

  /** The script for the shell, of a command with all its subcommands. */
  public abstract String of(CommandLine topo);
}
