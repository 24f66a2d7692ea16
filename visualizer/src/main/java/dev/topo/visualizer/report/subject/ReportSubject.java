package dev.topo.visualizer.report.subject;

import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.lint.finding.LintFinding;
import dev.topo.model.operation.Collective;
import dev.topo.search.communicator.Communicator;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.Predictor;
import dev.topo.simulator.measured.MeasuredRun;
import java.util.List;
import java.util.Optional;

/**
 * The content of a report: a job, its calls, their predictions and measurements.
 *
 * @param title name of the job
 * @param machines names of its machines, in their order
 * @param assumed the assumptions about them, a sentence each
 * @param rules the rules of NCCL that the answers follow
 * @param predictor predicts the calls of the job
 * @param calls the calls to show
 * @param basis the basis of the predictions
 * @param measured the measurements, if any
 * @param findings lint's findings in the files of the machines
 * @param caveats what is not modelled for the job
 */
public record ReportSubject(
    String title,
    List<String> machines,
    List<String> assumed,
    ReleaseRules rules,
    Predictor predictor,
    Calls calls,
    Basis basis,
    Optional<MeasuredRun> measured,
    List<FileFindings> findings,
    List<Caveat> caveats) {
  public ReportSubject {
    machines = List.copyOf(machines);
    assumed = List.copyOf(assumed);
    findings = List.copyOf(findings);
    caveats = List.copyOf(caveats);
  }

  /**
   * The calls to show.
   *
   * @param collectives the collectives; the first is the one that the summary is about
   * @param sizes their sizes in bytes, ascending
   */
  public record Calls(List<Collective> collectives, List<Long> sizes) {
    public Calls {
      collectives = List.copyOf(collectives);
      sizes = List.copyOf(sizes);
      if (collectives.isEmpty() || sizes.isEmpty()) {
        throw new IllegalArgumentException("expected at least one collective and one size");
      }
    }
  }

  /**
   * The basis of the predictions.
   *
   * @param source where their constants come from, in a sentence
   * @param caveats what they do not cover, a sentence each
   */
  public record Basis(String source, List<String> caveats) {
    public Basis {
      caveats = List.copyOf(caveats);
    }
  }

  /**
   * Lint's findings in a file.
   *
   * @param file its name
   * @param findings the findings; empty if the file is correct
   */
  public record FileFindings(String file, List<LintFinding> findings) {
    public FileFindings {
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
