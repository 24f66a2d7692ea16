package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.inspect.edit.Edit;
import dev.topo.inspect.edit.VariantReader;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.SettingException;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.workload.ParallelScale;
import dev.topo.simulator.workload.ScaleRule;
import dev.topo.simulator.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that describe a change to a traced job. */
final class WorkloadOptions {
  private static final String WHATIF = "--whatif ";

  @Option(
      names = "--whatif",
      paramLabel = "EDIT",
      description =
          "Predict the step after this edit of the machine or the settings, in the syntax of topo whatif; may be repeated:"
              + " all edits apply together.")
  private List<String> edits = new ArrayList<>();

  @Option(
      names = "--scale",
      paramLabel = "dp[=GROUP,…]",
      description =
          "Predict the step on --nodes N: groups of data parallelism span all nodes, with calls of the same sizes; other"
              + " groups do not change. GROUP: names of the former groups (default: those that begin with"
              + " dp, ddp, fsdp, hsdp, data, replicate or shard, else those of all ranks).")
  private @Nullable String scale;

  /**
   * True if a change is requested: edits, more nodes, or another release than that of the traces.
   *
   * @param traced the release that the traces name, if any
   * @param followed the release that the answer follows
   */
  boolean isWanted(Optional<ReleaseRules> traced, ReleaseRules followed) {
    return !edits.isEmpty()
        || scale != null
        || traced.map(rules -> !rules.release().equals(followed.release())).orElse(false);
  }

  /** True if {@code --nodes} is the size of the scaled job and not that of the traced one. */
  boolean isScaled() {
    return scale != null;
  }

  /**
   * Checks the options as far as possible before traces are read.
   *
   * @param hasNodes whether the user states the number of nodes
   * @throws SettingException if an option is wrong
   */
  void check(boolean hasNodes) {
    edits();
    String rule = scale;
    if (rule == null) {
      return;
    }
    rule(rule);
    refuseIf(
        !hasNodes,
        "--scale %s: expected --nodes N, the number of nodes of the larger job".formatted(rule));
  }

  /**
   * The edits.
   *
   * @throws SettingException if a text is not an edit
   */
  List<Edit> edits() {
    return accepted(() -> VariantReader.edits(edits, WHATIF));
  }

  /**
   * Evaluates edits and reports errors as wrong options.
   *
   * @throws SettingException if an edit cannot be applied; errors in files that the edits name are
   *     not converted
   */
  <T> T accepted(Supplier<T> edited) {
    try {
      return edited.get();
    } catch (TopologyFormatException e) {
      if (e.location().file().startsWith(WHATIF)) {
        throw new SettingException(WHATIF + e.reason(), e);
      }
      throw e;
    }
  }

  /** The edits as text. */
  String title() {
    return String.join("; ", edits);
  }

  /** The whole change as text. */
  String title(int nodes, ReleaseRules rules) {
    List<String> parts = new ArrayList<>(edits);
    if (scale != null) {
      parts.add(QuantityFormat.count(nodes, "node") + ", scaled by " + scale);
    }
    return parts.isEmpty() ? "NCCL " + rules.named() : String.join("; ", parts);
  }

  /**
   * The scaling from the traced job to the larger one.
   *
   * @param ranks number of ranks of the larger job
   * @throws SettingException if that is not a multiple of the number of ranks of the traced job
   */
  ParallelScale scale(Workload workload, int ranks) {
    String rule = scale;
    return rule == null
        ? ParallelScale.none(workload.worldSize())
        : scaled(() -> rule(rule).scale(workload, ranks));
  }

  private static ScaleRule rule(String text) {
    return scaled(() -> ScaleRule.parse(text));
  }

  private static <T> T scaled(Supplier<T> value) {
    try {
      return value.get();
    } catch (SettingException e) {
      throw new SettingException("--scale " + e.getMessage(), e);
    }
  }
}
