package dev.topo.simulator.measured;

import dev.topo.model.diagnostic.InputFile;
import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.settings.NcclSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;

/** Reads what was measured, whichever of the known formats it is in: the content decides. */
public final class RunReader {
  private static final String EXPECTED =
      "output of nccl-tests or topo run (text or JSON), a result of topo verify, or CSV with a heading";

  private RunReader() {}

  /**
   * The runs in a file; without measurements if all its rows were passed over.
   *
   * @throws TopologyFormatException if it cannot be read or holds no row
   */
  public static MeasuredRun read(Path file, RunHints unsaid) {
    return read(InputFile.text(file, EXPECTED), file.toString(), unsaid);
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
      throw new TopologyFormatException(
          SourceLocation.of(file), "has no measurement, expected " + EXPECTED);
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
      List<Measurement> measurements = MeasurementReader.read(text, file);
      return new MeasuredRun(
          file,
          OptionalInt.empty(),
          OptionalInt.empty(),
          NcclSettings.DEFAULTS,
          List.of(),
          measurements,
          List.of(),
          MeasurementReader.count(text) - measurements.size(),
          List.of());
    }
    return new NcclTestsTextReader(file, unsaid).read(text);
  }
}
