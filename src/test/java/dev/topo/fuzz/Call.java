package dev.topo.fuzz;

import dev.topo.cli.fixture.CliRun;
import java.util.List;
import java.util.Optional;

/**
 * What a call of the command did.
 *
 * @param status exit status
 * @param out stdout
 * @param err stderr
 * @param thrown what the command did not catch
 */
record Call(int status, String out, String err, Optional<Throwable> thrown) {
  /** Runs a command line without a variable of the environment. */
  static Call of(List<String> words) {
    try {
      CliRun run = CliRun.onAnyInput(words.toArray(String[]::new));
      return new Call(run.status(), run.out(), run.err(), Optional.empty());
    } catch (RuntimeException | Error e) {
      return new Call(-1, "", "", Optional.of(e));
    }
  }
}
