package dev.topo.search.explain;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.search.kernel.CallPaths;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.kernel.CallPaths.CallPath;
import dev.topo.search.kernel.CopyEstimate;
import dev.topo.search.kernel.Exclusion;
import dev.topo.search.kernel.Exclusion.Condition;
import dev.topo.search.kernel.Execution;
import dev.topo.search.kernel.KernelCandidate;
import dev.topo.search.kernel.KernelEstimate;
import dev.topo.search.kernel.RegisteredDecision;
import dev.topo.search.kernel.RegisteredPart;
import dev.topo.search.kernel.SymmetricDecision;
import dev.topo.search.tuning.ChannelShare;
import dev.topo.search.tuning.Tuner.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Explains whether a call with given buffers runs by an algorithm, by a symmetric kernel or on the
 * copy engine, why it does not run by the others, and which setting would change that.
 */
public record BuffersExplainer(CallPaths paths) {
  /** Explains how NCCL runs a call with the given buffers, and why. */
  public Explanation explain(CollectiveCall call, Buffers buffers) {
    CallPath path = paths.of(call, buffers);
    List<String> sentences = new ArrayList<>();
    sentences.add(outcome(path));
    path.registered().ifPresent(registered -> addRegistration(path, registered, sentences));
    addExclusions(path.symmetric(), sentences);
    if (buffers != Buffers.SYMMETRIC) {
      addWithWindows(call, sentences);
    }
    return new Explanation(
        "path of %s of %s with %s buffers"
            .formatted(
                call.collective().label(),
                QuantityFormat.exactSize(call.sizeBytes()),
                buffers.label()),
        sentences);
  }

  private String outcome(CallPath path) {
    return switch (path.kind()) {
      case ALGORITHM -> algorithm(path, path.choice().orElseThrow());
      case SYMMETRIC_KERNEL -> kernel(path.kernel().orElseThrow());
      case COPY_ENGINE -> copyEngine(path);
      case EMPTY, REFUSED -> path.refusal().map(Decision.Refusal::sentence).orElse("") + ".";
      case NOT_KNOWN -> "What NCCL runs is not known: %s.".formatted(path.unknown().orElse(""));
    };
  }

  private String algorithm(CallPath path, Decision.Choice choice) {
    int channels = ChannelShare.launched(paths.facts(), path.call(), choice);
    return "NCCL runs it by %s with %s, on %s of %s threads."
        .formatted(
            choice.algorithm().label(),
            choice.protocol().label(),
            QuantityFormat.channels(channels, choice.channels()),
            choice.threads());
  }

  private static String kernel(Execution.Kernel kernel) {
    return TextWriter.format(
        "NCCL runs it by the symmetric kernel %s, on %s of %d threads (its model takes %s), because its model of"
            + " these kernels says %.1f us.",
        kernel.kernel().label(),
        QuantityFormat.count(kernel.channels(), "channel"),
        kernel.threads(),
        QuantityFormat.count(kernel.blocks(), "block"),
        kernel.timeUs());
  }

  private String copyEngine(CallPath path) {
    String cuda =
        path.symmetric().execution() instanceof Execution.CopyEngine engine ? engine.cuda() : "";
    return "NCCL runs it on the copy engines of the GPUs, without channels, if the driver is that of CUDA "
        + cuda
        + " or newer."
        + path.copies().map(copies -> copies(paths, copies)).orElse("");
  }

  private static String copies(CallPaths paths, CopyEstimate copies) {
    return TextWriter.format(
        " They copy by %s, for which its model says %.1f us (in place by %s, %.1f us; in a CUDA graph by %s, %.1f us)%s.",
        copies.label(),
        copies.timeUs(),
        copies.inPlace().label(),
        copies.inPlace().timeUs(),
        copies.inGraph().label(),
        copies.inGraph().timeUs(),
        copies.limitedByDriver()
            ? "; with a driver of CUDA %s or newer, copies by multicast are faster"
                .formatted(paths.communicator().profile().symmetric().copies.hostLimitBeforeCuda)
            : "");
  }

  private void addRegistration(
      CallPath path, RegisteredDecision registered, List<String> sentences) {
    if (path.kind() != CallPath.Kind.ALGORITHM) {
      return;
    }
    List<RegisteredPart> parts = path.parts();
    sentences.add(
        parts.isEmpty()
            ? "Registration changes nothing for this call."
            : "Direct access to the registered buffers: %s."
                .formatted(QuantityFormat.joined(" and ", parts, RegisteredPart::label)));
    registered
        .remarks()
        .forEach(remark -> sentences.add("  " + withSetting(remark.text(), remark.setting())));
    Optional<Decision.Choice> plain = registered.plain().choice();
    if (plain.isPresent() && !plain.equals(path.choice())) {
      Decision.Choice choice = plain.get();
      sentences.add(
          "  Plain buffers: %s on up to %s."
              .formatted(
                  choice.pair().label(), QuantityFormat.count(choice.channels(), "channel")));
    }
  }

  private static String withSetting(String text, Optional<String> setting) {
    return text
        + setting
            .filter(name -> !text.contains(name))
            .map(name -> " (" + name + " changes that)")
            .orElse("")
        + ".";
  }

  private static void addExclusions(SymmetricDecision decision, List<String> sentences) {
    List<Exclusion> both = new ArrayList<>(decision.notKernel());
    both.retainAll(decision.notCopyEngine());
    add("Neither a symmetric kernel nor the copy engine:", both, List.of(), sentences);
    add("No symmetric kernel:", decision.notKernel(), both, sentences);
    decision.candidates().forEach(candidate -> sentences.add(line(candidate)));
    add("Not the copy engine:", decision.notCopyEngine(), both, sentences);
  }

  /** Adds the reasons of exclusions under a heading; adds nothing if all are in {@code except}. */
  private static void add(
      String heading, List<Exclusion> exclusions, List<Exclusion> except, List<String> sentences) {
    List<Exclusion> remaining =
        exclusions.stream().filter(exclusion -> !except.contains(exclusion)).toList();
    if (!remaining.isEmpty()) {
      sentences.add(heading);
      remaining.forEach(
          exclusion -> sentences.add("  " + withSetting(exclusion.text(), exclusion.setting())));
    }
  }

  private static String line(KernelCandidate candidate) {
    String estimate = candidate.estimate().map(BuffersExplainer::cost).orElse("");
    return "  "
        + candidate.kernel().label()
        + ": "
        + candidate
            .exclusion()
            .map(
                exclusion ->
                    exclusion.condition() == Condition.SLOWER
                        ? estimate
                            + exclusion
                                .setting()
                                .map(setting -> "; " + setting + " forces it")
                                .orElse("")
                        : "not possible, " + withSetting(exclusion.text(), exclusion.setting()))
            .orElse(estimate + ", the least");
  }

  private static String cost(KernelEstimate estimate) {
    return TextWriter.format(
        "%.2f us on %s, %.2f us weighed by blocks",
        estimate.timeUs(), QuantityFormat.count(estimate.blocks(), "block"), estimate.weighedUs());
  }

  private void addWithWindows(CollectiveCall call, List<String> sentences) {
    if (paths.unknown(Buffers.SYMMETRIC).isEmpty()) {
      CallPath path = paths.of(call, Buffers.SYMMETRIC);
      if (path.kind() == CallPath.Kind.SYMMETRIC_KERNEL
          || path.kind() == CallPath.Kind.COPY_ENGINE) {
        sentences.add("With symmetric windows: " + path.label() + " (--buffers symmetric).");
      }
    }
  }
}
