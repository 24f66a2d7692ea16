package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

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

/** The options for the calls that take memory, the groups that make them, and the memory limit. */
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
   * Refuses options that cannot be combined with each other or with the format.
   *
   * @param hasSavings whether the format can show savings
   * @param hasSplit whether the job is split into communicators
   */
  void check(boolean hasSavings, boolean hasSplit) {
    refuseIf(wantsSavings && !hasSavings, "--savings: expected --format text or json");
    limit();
    refuseIf(!groups.isEmpty() && hasSplit, "--group: expected no --split");
    boolean hasOtherOptions =
        !steps.isEmpty() || !groups.isEmpty() || limit != null || wantsSavings;
    refuseIf(
        against != null && (hasOtherOptions || hasSplit),
        "--against: expected no --steps, --group, --limit, --savings or --split");
  }

  /** The file of measured memory to compare with. */
  Optional<Path> against() {
    return Optional.ofNullable(against);
  }

  /** The largest number of bytes that NCCL may take of a GPU. */
  OptionalLong limit() {
    return limit == null ? OptionalLong.empty() : OptionalLong.of(CallSizes.parse(limit).get(0));
  }

  /** True if NCCL takes more memory of a GPU than the limit. */
  boolean isExceededBy(MemoryAnswer answer) {
    OptionalLong maxBytes = limit();
    return maxBytes.isPresent()
        && answer.total(answer.fullestRank(), MemoryPlace.GPU) > maxBytes.getAsLong();
  }

  /**
   * True if settings by which NCCL takes less are listed: on request, or if the limit is exceeded
   * and the job is not too large for the search.
   *
   * @param hasSentence whether the answer contains a sentence about them
   */
  boolean wantsSavings(MemoryAnswer answer, boolean hasSentence) {
    return wantsSavings
        || hasSentence && isExceededBy(answer) && !JobMemory.isTooLarge(answer.nRanks());
  }

  /**
   * The kinds of groups, each with the rule that splits the ranks into them; empty for a whole job.
   */
  Map<String, String> groups() {
    return groups;
  }

  /** The steps of a whole job. */
  List<MemoryStep> ofJob() {
    return steps.isEmpty()
        ? MemoryModel.usualSteps()
        : accepted(() -> steps.stream().map(MemoryStep::parse).toList());
  }

  /** The memory that the steps of a whole job take. */
  MemoryAnswer answer(MemoryModel model) {
    return steps.isEmpty() ? model.usual() : accepted(() -> model.answer(ofJob()));
  }

  /** The steps of one kind of group, which begin with its initialization. */
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
   * Evaluates steps; reports a step that cannot be parsed or evaluated as a wrong option.
   *
   * @throws SettingException if the supplier rejects a step
   */
  static <T> T accepted(Supplier<T> result) {
    try {
      return result.get();
    } catch (IllegalArgumentException e) {
      throw new SettingException("--steps: " + e.getMessage());
    }
  }
}
