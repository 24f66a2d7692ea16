package dev.topo.inspect.measured;

import dev.topo.inspect.log.FailureSign;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Operation;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads measured runs in any known format, which is detected from the content. */
public final class RunReader {
  /**
   * Facts about a run that the user states because its file may lack them.
   *
   * @param operation the operation, if the file names none
   * @param nGpus participating GPUs, if the file lists none
   * @param forced algorithm and protocol that NCCL was forced to use, if the file does not state
   *     it; empty for its own choice
   */
  public record RunHints(Optional<Operation> operation, OptionalInt nGpus, Optional<Pair> forced) {
    /** No facts besides the file. */
    public static final RunHints NOTHING =
        new RunHints(Optional.empty(), OptionalInt.empty(), Optional.empty());

    /**
     * Hints in the options of a command.
     *
     * @param operations the requested ones; a single one applies to a file that names none
     */
    public static RunHints of(
        List<? extends Operation> operations, OptionalInt nGpus, Optional<Pair> forced) {
      return new RunHints(
          operations.size() == 1 ? Optional.of(operations.get(0)) : Optional.empty(),
          nGpus,
          forced);
    }
  }

  private static final String EXPECTED =
      "output of nccl-tests or topo run (text or JSON), a result of topo verify, or CSV with a heading";

  private RunReader() {}

  /**
   * Reads the runs of a file; the result has no measurements if all rows were skipped.
   *
   * @throws TopologyFormatException if it cannot be read or has no rows
   */
  public static MeasuredRun read(Path file, RunHints hints, Inputs inputs) {
    return read(inputs.text(file, EXPECTED), file.toString(), hints);
  }

  /**
   * Reads the runs of a text.
   *
   * @param file name of the file for messages
   * @throws TopologyFormatException if it has no rows
   */
  public static MeasuredRun read(String text, String file, RunHints hints) {
    MeasuredRun run = readAny(text, file, hints).failed(FailureSign.find(text, file));
    if (run.measurements().isEmpty() && run.wrong().isEmpty() && run.passedOver() == 0) {
      throw new TopologyFormatException(file, "has no measurement, expected " + EXPECTED);
    }
    return run;
  }

  private static MeasuredRun readAny(String text, String file, RunHints hints) {
    if (text.stripLeading().startsWith("{")) {
      JsonTree tree = JsonTree.read(text, file);
      return ResultFile.isOne(tree) ? ResultFile.read(tree) : NcclTestsJsonFile.read(tree, hints);
    }
    String first = heading(text);
    if (first.contains("collective") && (first.contains(",") || first.contains(";"))) {
      return MeasurementReader.read(text, file, hints);
    }
    return new NcclTestsTextReader(file, hints).read(text);
  }

  /** The first line that is neither blank nor a comment; empty if there is none. */
  static String heading(String text) {
    return text.lines()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .findFirst()
        .orElse("");
  }
}
