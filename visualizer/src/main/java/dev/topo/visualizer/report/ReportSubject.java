package dev.topo.visualizer.report;

import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.tuning.Communicator;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.CalibrationChoice.SelectedCalibration;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.CommunicatorPredictions;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.visualizer.times.PredictionSentence;
import dev.topo.visualizer.view.Answer.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The content of a report: a job, its calls, their predictions and measurements.
 *
 * @param colors the colours of the split's communicators that the report is about, such as {@code
 *     0-3}; empty for a whole job
 * @param title the name of the job
 * @param machines the names of its machines, in order
 * @param assumed the assumptions about the machines, one sentence each
 * @param rules the rules of NCCL that the answers follow
 * @param result the evaluated job
 * @param calls the calls to show
 * @param basis the basis of the predictions
 * @param measured the measurements, if any
 * @param findings the findings of lint in the files of the machines
 * @param caveats what is not modelled for the job
 */
public record ReportSubject(
    String colors,
    String title,
    List<String> machines,
    List<String> assumed,
    ReleaseRules rules,
    JobResult result,
    Calls calls,
    Basis basis,
    Optional<MeasuredRun> measured,
    List<FileFindings> findings,
    List<Caveat> caveats) {
  /** A size in bytes that is limited by bandwidth. */
  public static final long LARGE_BYTES = 1L << 30;

  /** The sizes in bytes that the summary covers. */
  public static final List<Long> SUMMARY_BYTES = List.of(1L << 20, 64L << 20, LARGE_BYTES);

  public ReportSubject {
    machines = List.copyOf(machines);
    assumed = List.copyOf(assumed);
    findings = List.copyOf(findings);
    caveats = List.copyOf(caveats);
  }

  /** Returns an id that is unique among the communicators on the page. */
  String id(String part) {
    return colors.isEmpty() ? part : "g" + colors.replace(',', '_') + "-" + part;
  }

  /**
   * The calls to show.
   *
   * @param collectives the collectives; the summary is about the first
   * @param peers the operations made of sends and receives
   * @param sizes their sizes in bytes, ascending
   */
  public record Calls(List<Collective> collectives, List<PeerOperation> peers, List<Long> sizes) {
    public Calls {
      peers = List.copyOf(peers);
      collectives = List.copyOf(collectives);
      sizes = List.copyOf(sizes);
      if (collectives.isEmpty() || sizes.isEmpty()) {
        throw new IllegalArgumentException("expected at least one collective and one size");
      }
    }

    /** A call of each operation at each size, collectives first. */
    List<Call> all() {
      List<Operation> operations = new ArrayList<>(collectives);
      operations.addAll(peers);
      return Call.ofEach(operations, sizes);
    }
  }

  /**
   * The basis of the predictions.
   *
   * @param answer the predictions in one sentence; empty for one rank, which sends nothing
   * @param source the source of their constants, in a sentence
   * @param caveats what the predictions do not cover, one sentence each
   */
  public record Basis(Optional<String> answer, String source, List<String> caveats) {
    public Basis {
      caveats = List.copyOf(caveats);
    }

    /** Returns the basis of the predictions for a job. */
    public static Basis of(String title, JobResult result, Calls calls) {
      List<Call> requested = new ArrayList<>();
      if (result.request().job().nRanks() > 1) {
        requested.addAll(Call.ofEach(calls.collectives(), withSummary(calls.sizes())));
        requested.addAll(Call.ofEach(calls.peers(), calls.sizes()));
      }
      CommunicatorPredictions forecast = CommunicatorPredictions.of(title, result, requested);
      return new Basis(
          forecast.calls().isEmpty()
              ? Optional.empty()
              : Optional.of(PredictionSentence.of(forecast)),
          source(forecast, result.request().job().machines().size() > 1),
          forecast.caveats().stream().map(caveat -> Sentence.capitalised(caveat) + ".").toList());
    }

    /** The sizes together with those of the summary, which the caveats must cover as well. */
    private static SortedSet<Long> withSummary(List<Long> sizes) {
      SortedSet<Long> all = new TreeSet<>(sizes);
      all.addAll(SUMMARY_BYTES);
      return all;
    }

    private static String source(CommunicatorPredictions forecast, boolean isBetweenNodes) {
      SelectedCalibration use = forecast.calibration();
      if (isBetweenNodes && forecast.predictor().network().isPresent()) {
        return "Predicted by the model of the network %s between nodes."
            .formatted(forecast.predictor().network().get().calibration().name());
      }
      if (isBetweenNodes || use.calibration().isEmpty()) {
        return "Predicted by NCCL's own model, which only ranks algorithms: real busbw differs.";
      }
      Calibration calibration = use.calibration().get();
      return "Calibration %s (%s), %s; %s."
          .formatted(
              calibration.name(),
              use.reason(),
              use.quality(forecast.launch()),
              calibration.origin());
    }
  }

  /** The predictor for the calls of the job. */
  public CallPredictor predictor() {
    return result.predictor();
  }

  /** The predictions for the calls of some operations. */
  CommunicatorPredictions forecast(List<? extends Operation> operations) {
    return CommunicatorPredictions.of(title, result, Call.ofEach(operations, calls.sizes()));
  }

  /** The job as NCCL sets it up. */
  public Communicator communicator() {
    return predictor().communicator();
  }

  /** The number of ranks. */
  public int nRanks() {
    return communicator().nRanks();
  }

  /** The nodes in words. */
  public String nodeWords() {
    return communicator().connection().nodeWords();
  }

  /** The number of nodes. */
  public int nNodes() {
    return communicator().nNodes();
  }
}
