package dev.topo.visualizer.report.subject;

import dev.topo.inspect.lint.finding.LintFinding;
import dev.topo.model.operation.Collective;
import dev.topo.search.communicator.Communicator;
import dev.topo.simulator.Predictor;
import dev.topo.simulator.measured.MeasuredRun;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What a report is about.
 *
 * @param title what to call the job
 * @param machines what to call its machines, in their order
 * @param assumed what is taken for true of them without being measured, a sentence each
 * @param predictor the job with what foretells its calls
 * @param calls the calls to show
 * @param basis what predictions rest on
 * @param measured what was measured, if anything
 * @param findings what lint says of the files of the machines
 */
public record ReportSubject(
    String title,
    List<String> machines,
    List<String> assumed,
    Predictor predictor,
    Calls calls,
    Basis basis,
    Optional<MeasuredRun> measured,
    List<FileFindings> findings) {
  /** Copies the lists. */
  public ReportSubject {
    Objects.requireNonNull(title, "title");
    Objects.requireNonNull(predictor, "predictor");
    Objects.requireNonNull(calls, "calls");
    Objects.requireNonNull(basis, "basis");
    Objects.requireNonNull(measured, "measured");
    machines = List.copyOf(machines);
    assumed = List.copyOf(assumed);
    findings = List.copyOf(findings);
  }

  /**
   * Which calls to show.
   *
   * @param collectives the collectives; the first is the one that the summary is about
   * @param sizes their sizes in bytes, ascending
   */
  public record Calls(List<Collective> collectives, List<Long> sizes) {
    /** Copies the lists. */
    public Calls {
      collectives = List.copyOf(collectives);
      sizes = List.copyOf(sizes);
      if (collectives.isEmpty() || sizes.isEmpty()) {
        throw new IllegalArgumentException("a report is about some collective and size");
      }
    }
  }

  /**
   * What predictions rest on.
   *
   * @param source where their constants come from, in a sentence
   * @param caveats what they do not cover, a sentence each
   */
  public record Basis(String source, List<String> caveats) {
    /** Copies the list. */
    public Basis {
      Objects.requireNonNull(source, "source");
      caveats = List.copyOf(caveats);
    }
  }

  /**
   * What lint says of a file.
   *
   * @param file its name
   * @param findings what was found; none if the file is right
   */
  public record FileFindings(String file, List<LintFinding> findings) {
    /** Copies the list. */
    public FileFindings {
      Objects.requireNonNull(file, "file");
      findings = List.copyOf(findings);
    }
  }

  /** The job as NCCL sets it up. */
  public Communicator communicator() {
    return predictor.planner().communicator();
  }

  /** Number of ranks. */
  public int nRanks() {
    return communicator().facts().nRanks();
  }

  /** Number of nodes. */
  public int nNodes() {
    return communicator().facts().nNodes();
  }
}
