package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.model.QuantityFormat;
import dev.topo.simulator.sweep.Merge;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code topo sweep merge}: joins the results of all shards in one folder. */
@Command(
    name = "merge",
    description = {
      "Joins the results of all shards of a sweep, and checks that no part is missing or differs between folders. One"
          + " folder that all shards wrote to is only checked."
    })
final class SweepMergeCommand extends Subcommand {
  @Parameters(
      paramLabel = "DIR",
      arity = "1..*",
      description = "Folders with results of shards, in any order.")
  private List<Path> folders = new ArrayList<>();

  @Option(
      names = {"-o", "--results"},
      paramLabel = "DIR",
      description = "The folder for all results; for a single DIR that one.")
  private @Nullable Path target;

  @Override
  public Integer call() {
    Path into = target;
    if (into == null) {
      refuseIf(folders.size() > 1, "several folders: expected -o DIR for all results");
      into = folders.get(0);
    }
    Merge.Merged merged = new Merge(folders, inputs()).into(into);
    message(
        "%s: %s of %s in %s, complete"
            .formatted(
                merged.info().name(),
                QuantityFormat.count(merged.rows(), "row"),
                QuantityFormat.count(merged.info().variants(), "variant"),
                into));
    return ExitStatus.DONE;
  }
}
