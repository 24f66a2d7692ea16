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
 * @param differences each with what it changes by itself
 * @param together what the second machine changes
 */
public record DiffResult(
    Side a, Side b, DiffSettings settings, List<Tried> differences, JobChange together) {
  /**
   * The job in which differences are tried.
   *
   * @param communicator the colours of its communicators that this is about; empty for all of it
   * @param nodes number of nodes
   * @param nRanks number of ranks of a communicator, 0 if there is no answer
   * @param failure why there is no answer for the job before any difference; empty if there is one
   * @param calibrations names of the constants that go with the machines; none where there are none
   * @param sources what the busbw of all jobs rests on
   * @param shownBytes sizes whose busbw the text states
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
   * A difference and what it changes by itself.
   *
   * @param change what changes in a job of equal machines that have it
   */
  public record Tried(Difference difference, JobChange change) {}
}
