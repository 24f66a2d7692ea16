package dev.topo.inspect.measured;

import dev.topo.model.Node.GpuNode;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Job;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Checks measurements against the job that they are compared with, as far as their file describes
 * its own job.
 */
public final class JobMeasurements {
  private JobMeasurements() {}

  /** Returns the measurements on a number of ranks. */
  public static List<Measurement> of(MeasuredRun run, int nRanks) {
    return run.measurements().stream().filter(m -> m.nGpus() == nRanks).toList();
  }

  /**
   * Rejects a run without measurements on a number of ranks; measurements with wrong results count.
   */
  private static void check(MeasuredRun run, int nRanks) {
    List<Integer> counts =
        Stream.concat(
                Stream.concat(run.measurements().stream(), run.wrong().stream())
                    .map(Measurement::nGpus),
                run.peers().stream().map(PeerMeasurement::nGpus))
            .distinct()
            .toList();
    if (!counts.isEmpty() && !counts.contains(nRanks)) {
      throw new TopologyFormatException(
          SourceLocation.of(run.file()),
          SpecText.of(
              "was measured on %s GPUs, the job has %s: expected the same machines (%s, %s)",
              counts.get(0), nRanks, SpecField.NODES, SpecField.GPUS));
    }
  }

  /** Returns the error for a run without any requested measurement. */
  public static TopologyFormatException noneAskedFor(MeasuredRun run) {
    String unjudged =
        run.peers().stream()
            .map(PeerMeasurement::operation)
            .filter(operation -> !operation.hasEqualParts())
            .findFirst()
            .map(operation -> "; " + operation.ncclTestsName() + " is not judged")
            .orElse("");
    return new TopologyFormatException(
        run.file(), "contains no requested collective or size" + unjudged);
  }

  /**
   * Returns the error for a run without any requested measurement that can be compared with the
   * job.
   */
  public static TopologyFormatException noneOfTheJob(MeasuredRun run) {
    return new TopologyFormatException(
        run.file(),
        "contains no comparable row: its rows have other numbers of GPUs, forced channels, or what NCCL would not run"
            + " here");
  }

  /**
   * Rejects a run that cannot be one of the job.
   *
   * @throws TopologyFormatException if its GPUs or its numbers of ranks or nodes do not match
   */
  public static void check(MeasuredRun run, Job job) {
    check(run, job.nRanks());
    int nodes = job.machines().size();
    if (run.nodes().orElse(nodes) != nodes) {
      throw mismatch(
          run,
          QuantityFormat.count(run.nodes().getAsInt(), "node"),
          QuantityFormat.count(nodes, "node"));
    }
    Set<String> measured = new TreeSet<>();
    for (String system : run.systems()) {
      collect(
          new XmlReader().read(system.getBytes(StandardCharsets.UTF_8), run.file()).root(),
          measured);
    }
    Set<String> expected = new TreeSet<>();
    job.machines().stream()
        .flatMap(machine -> machine.topology().gpus().stream())
        .map(GpuNode::sm)
        .forEach(sm -> expected.add(String.valueOf(sm)));
    if (!measured.isEmpty() && !measured.equals(expected)) {
      throw mismatch(
          run, "GPUs of sm " + String.join(", ", measured), "sm " + String.join(", ", expected));
    }
  }

  private static void collect(XmlElement element, Set<String> sms) {
    if (element.name().equals("gpu")) {
      element.attribute("sm").ifPresent(sms::add);
    }
    element.elements().forEach(child -> collect(child, sms));
  }

  private static TopologyFormatException mismatch(
      MeasuredRun run, String measured, String expected) {
    return new TopologyFormatException(
        run.file(),
        "was measured on "
            + measured
            + ", the job has "
            + expected
            + ": expected the same machines");
  }
}
