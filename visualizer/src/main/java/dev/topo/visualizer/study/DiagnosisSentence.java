package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.diagnosis.Cause;
import dev.topo.simulator.diagnosis.CauseKind;
import dev.topo.simulator.diagnosis.Certainty;
import dev.topo.simulator.diagnosis.Cliff;
import dev.topo.simulator.diagnosis.CliffReport;
import dev.topo.simulator.diagnosis.Diagnosis;
import dev.topo.simulator.diagnosis.ReachedSpeed;
import dev.topo.visualizer.times.BusbwWords;
import dev.topo.visualizer.view.Answer.Sentence;
import dev.topo.visualizer.view.RangedNumber;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Summarises a diagnosis in one sentence: the most likely cause, its cost for the call that shows
 * it best, and what to check first.
 */
public final class DiagnosisSentence {

  /** For calls smaller than this many bytes, times are compared, because busbw says little. */
  private static final long MIN_BYTES_FOR_BUSBW = 1 << 20;

  /** Causes whose shares differ by no more than this factor are one answer. */
  private static final double MOST_RATIO = 3;

  /** Prefix of the names of NCCL's settings. */
  private static final String SETTING_PREFIX = "NCCL_";

  private DiagnosisSentence() {}

  /** Returns the sentence. */
  public static String of(Diagnosis diagnosis, CliffReport cliffs) {
    String reached = diagnosis.reached().map(DiagnosisSentence::reached).orElse("");
    return switch (diagnosis.verdict()) {
      case FAULT -> fault(diagnosis.causes(), diagnosis);
      case AS_EXPECTED ->
          diagnosis.reached().isEmpty()
              ? "As expected but for single sizes: %s.".formatted(diagnosis.summary())
              : Sentence.of(
                  Stream.of(
                          after("; ", reached) + after("; ", cliffs(cliffs)),
                          after("; ", cliffs(cliffs)),
                          "")
                      .map(more -> "Nothing is wrong: %s%s.".formatted(diagnosis.summary(), more))
                      .toList());
      case UNEXPLAINED ->
          "Slower than expected, and no known cause fits: %s; NCCL's log of a run (NCCL_DEBUG=INFO) would show more."
              .formatted(reached.isEmpty() ? diagnosis.summary() : reached);
      case TOO_FAST ->
          "Faster than this job can be%s: the machine, the nodes, the release or the columns are not those of the run."
              .formatted(after(", ", reached));
      case UNDECIDED -> Sentence.capitalised(diagnosis.summary()) + ".";
    };
  }

  /**
   * The number of sizes at which a choice other than NCCL's is faster, and the worst of them; empty
   * if there is none.
   */
  private static String cliffs(CliffReport report) {
    return report.cliffs().stream()
        .max(Comparator.comparingDouble(Cliff::lossPercent))
        .map(
            worst ->
                TextWriter.format(
                    "NCCL's choice loses at %s, most at %s of %s: %.0f %%",
                    QuantityFormat.count(report.cliffs().size(), "size"),
                    worst.collective().label(),
                    QuantityFormat.size(worst.bytes()),
                    worst.lossPercent()))
        .orElse("");
  }

  private static String after(String separator, String text) {
    return text.isEmpty() ? "" : separator + text;
  }

  private static String fault(List<Cause> causes, Diagnosis diagnosis) {
    Cause first = causes.get(0);
    String claim = claim(first) + certainty(causes);
    String check = "; " + check(first) + ".";
    return diagnosis
        .reached()
        .filter(ReachedSpeed::isSlower)
        .map(speed -> Sentence.of(claim + ": " + reached(speed) + check, claim + check))
        .orElse(Sentence.of(claim + check, claim + "."));
  }

  /** The certainty in brackets; at most 99 %, because times alone prove nothing. */
  private static String certainty(List<Cause> causes) {
    Cause first = causes.get(0);
    if (first.certainty() == Certainty.STATED) {
      return "";
    }
    OptionalDouble share = first.share();
    String part =
        share.isEmpty()
            ? ""
            : "%s %% ".formatted(Math.min(99, Math.round(100 * share.getAsDouble())));
    return first.certainty() == Certainty.LIKELY
        ? " (%slikely)".formatted(part)
        : causes.size() > 1
            ? " (%spossible, or %s)".formatted(part, others(causes))
            : " (%spossible)".formatted(part);
  }

  /** The causes that the times cannot tell from the first. */
  private static String others(List<Cause> causes) {
    double least = causes.get(0).share().orElse(1) / MOST_RATIO;
    List<String> alike =
        causes.stream()
            .skip(1)
            .filter(cause -> cause.share().orElse(1) >= least)
            .map(cause -> cause.kind().title())
            .toList();
    return alike.isEmpty() ? causes.get(1).kind().title() : String.join(" or ", alike);
  }

  private static String reached(ReachedSpeed call) {
    String what =
        "%s of %s".formatted(call.operation().label(), QuantityFormat.size(call.sizeBytes()));
    if (call.sizeBytes() < MIN_BYTES_FOR_BUSBW) {
      return "%s takes %s, %s expected"
          .formatted(
              what, QuantityFormat.time(call.timeUs()), QuantityFormat.time(call.expectedUs()));
    }
    RangedNumber expected = new RangedNumber(call.expectedGBps(), call.lowGBps(), call.highGBps());
    boolean isFaster = call.busbwGBps() > call.highGBps().orElse(Double.POSITIVE_INFINITY);
    return isFaster
        ? "%s reaches %s GB/s busbw, more than the %s expected"
            .formatted(what, BusbwWords.number(call.busbwGBps()), expected.range())
        : "%s reaches %s GB/s busbw of %s expected"
            .formatted(what, BusbwWords.number(call.busbwGBps()), expected.text());
  }

  /** States the cause, or the setting that has the effect. */
  private static String claim(Cause cause) {
    String detail = cause.detail();
    if (detail.startsWith(SETTING_PREFIX)) {
      return cause.certainty() == Certainty.STATED
          ? detail + " " + effect(cause.kind())
          : "The times are those of a run with " + detail;
    }
    return switch (cause.kind()) {
      case WRONG_RESULTS -> "Wrong data: " + detail;
      case FAILED_RUN -> "The run failed: " + detail;
      case NCCL_WARNING -> "NCCL warned: " + detail;
      case WRONG_NETWORK ->
          detail.startsWith("TCP")
              ? "Data between nodes goes as " + detail
              : Sentence.capitalised(detail.replace(" (NET/Socket)", ""))
                  + ", as NCCL's log states";
      case FEWER_NICS ->
          "Only %s %s data between nodes"
              .formatted(detail, detail.startsWith("1 ") ? "carries" : "carry");
      case SLOW_PCIE ->
          detail.startsWith("PCIe")
              ? "The " + detail.replaceFirst(" with ", " runs with ")
              : Sentence.capitalised(detail);
      case SLOW_PATH ->
          "Something between nodes is slow (%s): %s".formatted(cause.kind().title(), detail);
      case SLOW_NIC -> detail.startsWith("NCCL") ? detail : "NICs run at " + detail;
      case FEW_CHANNELS -> "NCCL uses only " + detail;
      case SLOW_LAUNCHES -> "The CPU limits launches: " + detail;
      case OTHER_VERSION ->
          detail.startsWith("NCCL")
              ? "The times are those of " + detail
              : Sentence.capitalised(detail);
      case CONGESTION -> "The network is congested or oversubscribed, " + detail;
      default -> Sentence.capitalised(detail);
    };
  }

  /** The effect of a setting of NCCL that is the cause. */
  private static String effect(CauseKind kind) {
    return switch (kind) {
      case WRONG_NETWORK -> "sends data between nodes over TCP";
      case NO_GPUDIRECT -> "keeps NICs from reading and writing GPU memory";
      case NVLS_OFF -> "switches NVLS off";
      case P2P_OFF -> "keeps GPUs of a node from each other's memory";
      case FEW_CHANNELS -> "leaves NCCL fewer channels";
      case BUFFERS -> "changes the size of buffers or chunks";
      case FORCED_CHOICE -> "replaces NCCL's own choice";
      case WRONG_FILE -> "makes NCCL follow a file";
      default -> "is the cause";
    };
  }

  /** The first thing to check. */
  private static String check(Cause cause) {
    return switch (cause.kind()) {
      case WRONG_RESULTS, FAILED_RUN, MISSING_RANKS, NCCL_WARNING, UNEVEN_SIZES ->
          "next: " + cause.confirm().get(0);
      case WRONG_NETWORK -> "check NCCL_NET, NCCL_IB_DISABLE and that libibverbs is installed";
      case FEWER_NICS -> "check NCCL_IB_HCA, and with ibstat that every port is Active";
      case NO_GPUDIRECT -> "check that nvidia_peermem is loaded, and ACS and IOMMU";
      case NVLS_OFF -> "check NCCL_NVLS_ENABLE and nvidia-fabricmanager";
      case NO_NVLINK -> "check nvidia-smi nvlink -s and nvidia-fabricmanager";
      case P2P_OFF -> "check NCCL_P2P_DISABLE, nvidia-smi topo -p2p r and --ipc=host of containers";
      case SLOW_PCIE -> "check LnkSta against LnkCap in lspci -vv";
      case SLOW_PATH -> "run pairs of nodes (topo diagnose reads their files)";
      case SLOW_NIC -> "check the rate of every port with ibstat";
      case FEW_CHANNELS -> "unset NCCL_MAX_NCHANNELS and NCCL_MAX_CTAS";
      case BUFFERS -> "unset the settings of buffers, chunks and threads";
      case FORCED_CHOICE -> "unset NCCL_ALGO and NCCL_PROTO";
      case SLOW_LAUNCHES -> "a CUDA graph (nccl-tests -G 1) would show it";
      case OTHER_VERSION -> "NCCL_DEBUG=VERSION prints the release that runs";
      case WRONG_FILE -> "check NCCL_TOPO_FILE and NCCL_GRAPH_FILE with topo lint";
      case CONGESTION -> "repeat the run while the network is idle";
      case TOO_FAST, UNKNOWN -> "NCCL's log of a run (NCCL_DEBUG=INFO) would show more";
    };
  }
}
