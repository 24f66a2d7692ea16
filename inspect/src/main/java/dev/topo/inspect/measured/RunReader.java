package dev.topo.inspect.measured;

import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Collective;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads what was measured, whichever of the known formats it is in: the content decides. */
public final class RunReader {
  /**
   * Facts about a run that the user knows and its file may not contain.
   *
   * @param collective the collective, where the file names none
   * @param nGpus GPUs that took part, where the file lists none
   * @param forced what NCCL was made to use, where the file does not tell; empty for its own choice
   */
  public record RunHints(
      Optional<Collective> collective, OptionalInt nGpus, Optional<Pair> forced) {
    /** Nothing is known but the file. */
    public static final RunHints NOTHING =
        new RunHints(Optional.empty(), OptionalInt.empty(), Optional.empty());

    /**
     * The hints in the options of a command.
     *
     * @param collectives the requested ones; a single one is that of a file that names none
     */
    public static RunHints of(
        List<Collective> collectives, OptionalInt nGpus, Optional<Pair> forced) {
      return new RunHints(
          collectives.size() == 1 ? Optional.of(collectives.get(0)) : Optional.empty(),
          nGpus,
          forced);
    }
  }

  private static final String EXPECTED =
      "output of nccl-tests or topo run (text or JSON), a result of topo verify, or CSV with a heading";

  private RunReader() {}

  /**
   * The runs in a file; without measurements if all its rows were passed over.
   *
   * @throws TopologyFormatException if it cannot be read or holds no row
   */
  public static MeasuredRun read(Path file, RunHints unsaid, Inputs inputs) {
    return read(inputs.text(file, EXPECTED), file.toString(), unsaid);
  }

  /**
   * The runs in a text.
   *
   * @param file name of the file for messages
   * @throws TopologyFormatException if it holds no row
   */
  public static MeasuredRun read(String text, String file, RunHints unsaid) {
    MeasuredRun run = readAny(text, file, unsaid);
    if (run.measurements().isEmpty() && run.wrong().isEmpty() && run.passedOver() == 0) {
      throw new TopologyFormatException(file, "has no measurement, expected " + EXPECTED);
    }
    return run;
  }

  private static MeasuredRun readAny(String text, String file, RunHints unsaid) {
    if (text.stripLeading().startsWith("{")) {
      JsonTree tree = JsonTree.read(text, file);
      return ResultFile.isOne(tree) ? ResultFile.read(tree) : NcclTestsJsonFile.read(tree, unsaid);
    }
    String first =
        text.lines()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .findFirst()
            .orElse("");
    if (first.contains("collective") && (first.contains(",") || first.contains(";"))) {
      return MeasurementReader.read(text, file);
    }
    return new NcclTestsTextReader(file, unsaid).read(text);
  }
}
