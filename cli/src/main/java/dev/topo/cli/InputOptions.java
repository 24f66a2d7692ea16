package dev.topo.cli;

import dev.topo.cli.output.Streams;
import dev.topo.model.Topology;
import dev.topo.model.diagnostic.Diagnostic;
import dev.topo.model.diagnostic.Diagnostics;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.xml.GpuSelection;
import dev.topo.model.xml.TopologyReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options that say which machines to look at and how to read them. */
final class InputOptions {
  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "Topology files, as NCCL_TOPO_DUMP_FILE writes and NCCL_TOPO_FILE takes.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = "--gpus",
      paramLabel = "DEV",
      split = ",",
      description = "The job runs on these GPUs only, by device number: 0,1,4,5.")
  private Set<Integer> gpus = new LinkedHashSet<>();

  @Option(names = "--strict", description = "Take warnings about the input for errors.")
  private boolean strict;

  @Option(
      names = {"-v", "--verbose"},
      description = "Show notes about the input, too.")
  private boolean verbose;

  @Option(
      names = "--ignore-unknown-elements",
      description =
          "Pass over elements that NCCL does not know, as it does, instead of refusing them.")
  private boolean ignoreUnknownElements;

  List<Path> files() {
    return files;
  }

  /** Reads a file; says on stderr what is strange about it. */
  Topology read(Path file, Streams streams) {
    Diagnostics diagnostics = new Diagnostics();
    GpuSelection selection = gpus.isEmpty() ? GpuSelection.ALL : GpuSelection.of(gpus);
    Topology topology =
        new TopologyReader(ignoreUnknownElements).read(file, selection, diagnostics);
    for (Diagnostic diagnostic : diagnostics.list()) {
      boolean warning = diagnostic.severity() == Diagnostic.Severity.WARNING;
      if (warning && strict) {
        throw new TopologyFormatException(
            diagnostic.location(), diagnostic.message() + " (--strict)");
      }
      if (warning || verbose) {
        streams.message((warning ? "warning: " : "note: ") + diagnostic);
      }
    }
    return topology;
  }
}
