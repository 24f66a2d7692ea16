package dev.topo.cli;

import dev.topo.cli.option.BuffersOption;
import dev.topo.inspect.log.LogComparison;
import dev.topo.inspect.log.NcclLog;
import dev.topo.inspect.log.NcclLogReader;
import dev.topo.model.io.Inputs;
import dev.topo.search.kernel.CallPaths;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.tuning.Communicator;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The option for logs of real NCCL to compare choices with. */
final class ComparedLogs {
  @Option(
      names = "--against",
      paramLabel = "LOG",
      description =
          "Compare with a log of real NCCL (NCCL_DEBUG=INFO, NCCL_DEBUG_SUBSYS=INIT,GRAPH,TUNING); may be repeated for the"
              + " files of several processes. Exit status 1 if something differs; --verbose also lists what agrees.")
  private List<Path> logs = new ArrayList<>();

  /** True if there is a log to compare with. */
  boolean isGiven() {
    return !logs.isEmpty();
  }

  /** The logs of all processes as one. */
  NcclLog read(Inputs inputs) {
    return NcclLogReader.read(logs, inputs);
  }

  /** The name of the first log. */
  String name() {
    return String.valueOf(logs.get(0).getFileName());
  }

  /**
   * Compares a communicator with a log: which facts agree and which differ.
   *
   * @param buffers the kind of the buffers of the logged calls
   * @throws dev.topo.model.io.TopologyFormatException if the log contains nothing about the
   *     communicator
   */
  LogComparison comparison(Communicator communicator, NcclLog log, BuffersOption buffers) {
    CallPaths paths = CallPaths.of(communicator);
    Buffers kind = buffers.kindsOf(paths).stream().findFirst().orElse(Buffers.PLAIN);
    LogComparison comparison = LogComparison.of(communicator, log, paths, kind);
    if (comparison.facts().isEmpty()) {
      throw Subcommand.unusable(
          logs.get(0),
          "has no line to compare with, expected a log with NCCL_DEBUG=INFO and NCCL_DEBUG_SUBSYS=INIT,GRAPH,TUNING");
    }
    return comparison;
  }
}
