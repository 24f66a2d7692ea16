package dev.topo.cli.job;

import dev.topo.cli.output.Streams;
import dev.topo.model.QuantityFormat;
import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.job.Job;
import dev.topo.model.node.GpuNode;
import dev.topo.model.settings.NcclSettings;
import dev.topo.model.xml.XmlElement;
import dev.topo.model.xml.XmlReader;
import dev.topo.simulator.measured.MeasuredRun;
import dev.topo.simulator.measured.Measurement;
import dev.topo.simulator.measured.RunHints;
import dev.topo.simulator.measured.RunReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Measurements of a job, as far as their file tells that they are. */
public final class JobMeasurements {
  private JobMeasurements() {}

  /**
   * What a file says; tells on stderr what speaks against it.
   *
   * @throws TopologyFormatException if it cannot be read
   */
  public static MeasuredRun readAny(Path file, RunHints unsaid, Streams streams) {
    MeasuredRun run = RunReader.read(file, unsaid);
    run.doubts().forEach(doubt -> streams.message("note: " + file + ": " + doubt));
    return run;
  }

  /**
   * The measurements of a file; tells on stderr what speaks against them.
   *
   * @throws TopologyFormatException if there are none, not even wrong ones
   */
  public static MeasuredRun read(Path file, RunHints unsaid, Streams streams) {
    MeasuredRun run = readAny(file, unsaid, streams);
    if (run.measurements().isEmpty() && run.wrong().isEmpty()) {
      throw new TopologyFormatException(SourceLocation.of(run.file()), run.emptyReason());
    }
    return run;
  }

  /**
   * GPUs that one process launches for, all of a node where the file does not tell; says so on
   * stderr.
   */
  public static int gpusPerProcess(MeasuredRun run, int most, Streams streams) {
    if (run.gpusPerProcess().isEmpty() && most > 1) {
      streams.message(
          "note: "
              + run.file()
              + " does not contain the number of GPUs per process: all "
              + most
              + " are assumed (--ranks-per-process)");
    }
    return Math.min(most, run.gpusPerProcess().orElse(most));
  }

  /** The settings that a file of measurements tells of; those that the user names win. */
  public static NcclSettings settings(Optional<MeasuredRun> run, NcclSettings named) {
    return run.map(r -> r.settings().with(named)).orElse(named);
  }

  /** The measurements of so many ranks. */
  public static List<Measurement> of(MeasuredRun run, int nRanks) {
    return run.measurements().stream().filter(m -> m.nGpus() == nRanks).toList();
  }

  /** Makes sure that a run has measurements of so many ranks, if only wrong ones. */
  private static void check(MeasuredRun run, int nRanks) {
    List<Integer> counts =
        Stream.concat(run.measurements().stream(), run.wrong().stream())
            .map(Measurement::nGpus)
            .distinct()
            .toList();
    if (!counts.isEmpty() && !counts.contains(nRanks)) {
      throw new TopologyFormatException(
          SourceLocation.of(run.file()),
          "was measured on "
              + counts.get(0)
              + " GPUs, the job has "
              + nRanks
              + ": expected the same machines (--nodes, --gpus)");
    }
  }

  /** What to say where none of the measurements was requested. */
  public static TopologyFormatException noneAskedFor(MeasuredRun run) {
    return new TopologyFormatException(
        SourceLocation.of(run.file()), "contains no requested collective or size");
  }

  /** What to say where measurements are asked for and none of them is one of the job. */
  public static TopologyFormatException noneOfTheJob(MeasuredRun run) {
    return new TopologyFormatException(
        SourceLocation.of(run.file()),
        "contains no comparable row: its rows have other numbers of GPUs, forced channels, or what NCCL would not run"
            + " here");
  }

  /**
   * Makes sure that a run can be one of a job.
   *
   * @throws TopologyFormatException if they are of other GPUs, or of more or fewer ranks or nodes
   */
  public static void check(MeasuredRun run, Job job) {
    check(run, job.nRanks());
    int nodes = job.machines().size();
    if (run.nodes().orElse(nodes) != nodes) {
      throw other(
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
    Set<String> ours = new TreeSet<>();
    job.machines().stream()
        .flatMap(machine -> machine.topology().gpus().stream())
        .map(GpuNode::sm)
        .forEach(sm -> ours.add(String.valueOf(sm)));
    if (!measured.isEmpty() && !measured.equals(ours)) {
      throw other(
          run, "GPUs of sm " + String.join(", ", measured), "sm " + String.join(", ", ours));
    }
  }

  private static void collect(XmlElement element, Set<String> sms) {
    if (element.name().equals("gpu")) {
      element.attribute("sm").ifPresent(sms::add);
    }
    element.elements().forEach(child -> collect(child, sms));
  }

  private static TopologyFormatException other(MeasuredRun run, String theirs, String ours) {
    return new TopologyFormatException(
        SourceLocation.of(run.file()),
        "was measured on " + theirs + ", the job has " + ours + ": expected the same machines");
  }
}
