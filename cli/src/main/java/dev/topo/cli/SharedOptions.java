package dev.topo.cli;

import dev.topo.cli.option.CollectiveOptions;
import java.util.List;
import java.util.function.UnaryOperator;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What options that commands share mean to some of them. */
final class SharedOptions {
  /** Command, option, and its description there. */
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
          "advise --collective " + CollectiveOptions.NAMES + " (default: all, alltoall, sendrecv).",
          "predict --nodes Number of equal machines in the job (default: 1), or several: 1,2,4,8 or 1:1024:2.",
          "upgrade --nodes Number of equal machines in the job (default: 1; for a fleet 2 if the node has network ports).");

  private SharedOptions() {}

  /** Adapts the options of the subcommands that a command has. */
  static void adapt(CommandLine topo) {
    for (String description : DESCRIPTIONS) {
      String[] part = description.split(" ", 3);
      replace(topo, part[0], part[1], option -> option.description(part[2]));
    }
    followNcclTests(topo);
  }

  /**
   * Options as nccl-tests has them, in the command that takes its place: {@code -V} is not the
   * version, and numbers are those of C.
   */
  private static void followNcclTests(CommandLine topo) {
    replace(topo, "run", "--version", option -> option.names("--version"));
    replace(topo, "run", "--device_cta_count", option -> option.names("-V", "--device_cta_count"));
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
