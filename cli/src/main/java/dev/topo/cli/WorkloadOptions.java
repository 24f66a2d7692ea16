package dev.topo.cli;

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

/** The options for what a change would do to a job that was traced. */
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
   * True if the user asks for a change: edits, more nodes, or another release than the traces'.
   *
   * @param traced the release of the traces, where they name one
   * @param followed the release that the answer follows
   */
  public boolean isWanted(Optional<ReleaseRules> traced, ReleaseRules followed) {
    return !edits.isEmpty()
        || scale != null
        || traced.map(rules -> !rules.release().equals(followed.release())).orElse(false);
  }

  /** True if {@code --nodes} is the size of another job than that of the traces. */
  public boolean isScaled() {
    return scale != null;
  }

  /**
   * Checks what can be before traces are read.
   *
   * @param hasNodes whether the user gives a number of nodes
   * @throws SettingException if an option is wrong
   */
  public void check(boolean hasNodes) {
    edits();
    String rule = scale;
    if (rule == null) {
      return;
    }
    rule(rule);
    if (!hasNodes) {
      throw new SettingException(
          "--scale %s: expected --nodes N, the number of nodes of the larger job".formatted(rule));
    }
  }

  /**
   * The edits.
   *
   * @throws SettingException if a text is none
   */
  public List<Edit> edits() {
    return accepted(() -> VariantReader.edits(edits, WHATIF));
  }

  /**
   * The value that edits give.
   *
   * @throws SettingException if one of them cannot be made; a file that they name is another matter
   */
  public <T> T accepted(Supplier<T> edited) {
    try {
      return edited.get();
    } catch (TopologyFormatException e) {
      if (e.location().file().startsWith(WHATIF)) {
        throw new SettingException(WHATIF + e.reason(), e);
      }
      throw e;
    }
  }

  /** The edits in words. */
  public String title() {
    return String.join("; ", edits);
  }

  /** The change in words. */
  public String title(int nodes, ReleaseRules rules) {
    List<String> parts = new ArrayList<>(edits);
    if (scale != null) {
      parts.add(QuantityFormat.count(nodes, "node") + ", scaled by " + scale);
    }
    return parts.isEmpty() ? "NCCL " + rules.named() : String.join("; ", parts);
  }

  /**
   * The larger job.
   *
   * @param ranks its number of ranks
   * @throws SettingException if that is no multiple of those of the traces
   */
  public ParallelScale scale(Workload workload, int ranks) {
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
