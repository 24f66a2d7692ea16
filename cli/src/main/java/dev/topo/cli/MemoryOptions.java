package dev.topo.cli;

import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Call.CallSizes;
import dev.topo.simulator.memory.JobMemory;
import dev.topo.simulator.memory.MemoryAnswer;
import dev.topo.simulator.memory.MemoryModel;
import dev.topo.simulator.memory.MemoryPlace;
import dev.topo.simulator.memory.MemoryStep;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the calls that take memory, for the groups that make them, and for the limit. */
final class MemoryOptions {
  @Option(
      names = "--steps",
      paramLabel = "STEP",
      split = ",",
      description =
          "The calls in order (default: init, then all_reduce, all_gather, reduce_scatter and broadcast of every size).")
  private List<String> steps = new ArrayList<>();

  @Option(
      names = "--group",
      paramLabel = "NAME=RULE",
      description =
          "A kind of group that ranks are in, with the rule of --split: tp='DIV 8'; may be repeated. The answer is the sum over all; a step that begins with a name is of that kind only.")
  private Map<String, String> groups = new LinkedHashMap<>();

  @Option(
      names = "--limit",
      paramLabel = "SIZE",
      description =
          "Most memory of a GPU that NCCL may take, as in 2G. Exit status 1 if it is more; the answer then"
              + " has the settings to change (up to 1,024 ranks, else with --savings).")
  private @Nullable String limit;

  @Option(
      names = "--against",
      paramLabel = "FILE",
      description =
          "Measured memory to compare with: what topo run --memory-steps prints, or CSV with the columns step, gpu_bytes and, where"
              + " known, rank and host_shmem_kib. The steps are those measured. Exit status 1 if one differs.")
  private @Nullable Path against;

  @Option(
      names = "--savings",
      description =
          "Also list settings by which NCCL takes less, with the bytes saved and the change of busbw.")
  private boolean wantsSavings;

  /**
   * Makes sure that there is a place for what is asked.
   *
   * @param hasSavings whether the format has one for savings
   * @param hasSplit whether the job is split into communicators
   */
  void check(boolean hasSavings, boolean hasSplit) {
    if (wantsSavings && !hasSavings) {
      throw new SettingException("--savings: expected --format text or json");
    }
    limit();
    if (!groups.isEmpty() && hasSplit) {
      throw new SettingException("--group: expected no --split");
    }
    boolean asksElse = !steps.isEmpty() || !groups.isEmpty() || limit != null || wantsSavings;
    if (against != null && (asksElse || hasSplit)) {
      throw new SettingException(
          "--against: expected no --steps, --group, --limit, --savings or --split");
    }
  }

  /** Measured memory to compare with. */
  Optional<Path> against() {
    return Optional.ofNullable(against);
  }

  /** Most bytes of a GPU that NCCL may take. */
  OptionalLong limit() {
    return limit == null ? OptionalLong.empty() : OptionalLong.of(CallSizes.parse(limit).get(0));
  }

  /** True if NCCL takes more of a GPU than it may. */
  boolean isExceededBy(MemoryAnswer answer) {
    OptionalLong most = limit();
    return most.isPresent()
        && answer.total(answer.fullestRank(), MemoryPlace.GPU) > most.getAsLong();
  }

  /**
   * True if settings by which NCCL takes less are listed: if the user wants them, and where a job
   * that is not large does not fit.
   *
   * @param hasSentence whether the answer has a sentence for them
   */
  boolean wantsSavings(MemoryAnswer answer, boolean hasSentence) {
    return wantsSavings
        || hasSentence && isExceededBy(answer) && !JobMemory.isTooLarge(answer.nRanks());
  }

  /** The kinds of groups with the rules by which they split the ranks; none for a whole job. */
  Map<String, String> groups() {
    return groups;
  }

  /** The calls of a whole job. */
  List<MemoryStep> ofJob() {
    return steps.isEmpty()
        ? MemoryModel.usualSteps()
        : accepted(() -> steps.stream().map(MemoryStep::parse).toList());
  }

  /** The memory of the calls of a whole job. */
  MemoryAnswer answer(MemoryModel model) {
    return steps.isEmpty() ? model.usual() : accepted(() -> model.answer(ofJob()));
  }

  /** The calls of one kind of group, which begin with its initialization. */
  List<MemoryStep> of(String group) {
    Set<String> others = new HashSet<>(groups.keySet());
    others.remove(group);
    List<String> texts =
        steps.isEmpty()
            ? List.of("all_reduce 256 MiB")
            : steps.stream()
                .map(String::strip)
                .filter(step -> others.stream().noneMatch(other -> step.startsWith(other + " ")))
                .map(
                    step ->
                        step.startsWith(group + " ") ? step.substring(group.length() + 1) : step)
                .filter(step -> !step.equals("init"))
                .toList();
    List<MemoryStep> parsed = new ArrayList<>(List.of(MemoryStep.parse("init")));
    parsed.addAll(accepted(() -> texts.stream().map(MemoryStep::parse).toList()));
    return parsed;
  }

  /**
   * Evaluates the steps.
   *
   * @throws SettingException if it rejects one of them
   */
  static <T> T accepted(Supplier<T> made) {
    try {
      return made.get();
    } catch (IllegalArgumentException e) {
      throw new SettingException("--steps: " + e.getMessage());
    }
  }
}
