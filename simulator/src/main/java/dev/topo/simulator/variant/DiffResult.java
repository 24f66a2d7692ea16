package dev.topo.simulator.variant;

import dev.topo.inspect.difference.Difference;
import dev.topo.model.QuantityFormat;
import dev.topo.model.Topology;
import dev.topo.simulator.evaluate.Prediction.Source;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Two machines compared.
 *
 * @param a the first machine
 * @param b the second
 * @param settings the job in which differences are tried
 * @param differences the differences, each with its own effect
 * @param together the effect of the second machine as a whole
 */
public record DiffResult(
    Side a, Side b, DiffSettings settings, List<Tried> differences, JobChange together) {
  /**
   * The job in which differences are tried.
   *
   * @param communicator the colours of the communicators in question; empty for the whole job
   * @param nodes number of nodes
   * @param nRanks number of ranks of a communicator, 0 if there is no answer
   * @param failure why there is no answer for the job before any difference; empty if there is one
   * @param calibrations names of the calibrations of the machines
   * @param sources the sources of the busbw of all jobs
   * @param shownBytes sizes whose busbw the text shows
   */
  public record DiffSettings(
      String communicator,
      int nodes,
      int nRanks,
      Optional<JobFailure> failure,
      List<String> calibrations,
      Set<Source> sources,
      List<Long> shownBytes) {
    public DiffSettings {
      calibrations = List.copyOf(calibrations);
      sources = Set.copyOf(sources);
      shownBytes = List.copyOf(shownBytes);
    }

    /** The job in words, as a part of a sentence: {@code a job of 2 nodes}. */
    public String job() {
      return (communicator.isEmpty() ? "" : "communicator " + communicator + " of ")
          + "a job of "
          + QuantityFormat.count(nodes, "node");
    }

    /** Label of a communicator; a whole job by its nodes alone: {@code 2 nodes}. */
    public String nodesOrJob() {
      return communicator.isEmpty() ? QuantityFormat.count(nodes, "node") : job();
    }
  }

  public DiffResult {
    differences = List.copyOf(differences);
  }

  /** A machine. */
  public record Side(String name, Path file, Topology topology) {}

  /**
   * A difference and its own effect.
   *
   * @param change the changes in a job of equal machines with this difference
   */
  public record Tried(Difference difference, JobChange change) {}
}
