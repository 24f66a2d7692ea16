package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.simulator.sweep.Shard;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options for running a sweep: the folder of the results, the shard, and the number of threads.
 */
final class SweepRunOptions {
  private static final int MAX_THREADS = 1024;

  @Option(
      names = {"-o", "--results"},
      paramLabel = "DIR",
      description =
          "The folder for the results (default: the name of SPEC with .results instead of .yaml).")
  private @Nullable Path folder;

  @Option(
      names = "--shard",
      paramLabel = "I/N",
      description =
          "Make the I-th of N shards only; /N takes I from the array of Slurm or the indexed job of Kubernetes.")
  private @Nullable String shard;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      description = "Number of threads (default: as many as there are cores).")
  private @Nullable Integer jobs;

  /** The number of threads: that of {@code --jobs}, else the number of cores. */
  int threads() {
    if (jobs == null) {
      return Runtime.getRuntime().availableProcessors();
    }
    refuseIf(jobs < 1 || jobs > MAX_THREADS, "--jobs " + jobs + ": expected 1 to " + MAX_THREADS);
    return jobs;
  }

  /** The shard to evaluate. */
  Shard shard(Map<String, String> environment) {
    return Shard.of(Optional.ofNullable(shard), environment);
  }

  /** The folder for the results: as the user names it, else named after the specification. */
  Path folder(Path spec) {
    return folder == null
        ? Path.of(String.valueOf(spec.getFileName()).replaceFirst("\\.ya?ml$", "") + ".results")
        : folder;
  }
}
