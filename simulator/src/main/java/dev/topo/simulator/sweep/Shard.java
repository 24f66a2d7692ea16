package dev.topo.simulator.sweep;

import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.SpecException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * One of {@code of} equal shares of a sweep. Each process takes every {@code of}-th part of the
 * results, so that together they compute each part once.
 *
 * @param index number of the shard, from 1
 * @param of number of shards
 */
public record Shard(int index, int of) {
  /** The only shard of a sweep that is not divided. */
  public static final Shard ALL = new Shard(1, 1);

  private static final int MAX_SHARDS = 1_000_000;
  private static final Pattern TEXT = Pattern.compile("(\\d{1,7})?/(\\d{1,7})");
  private static final String KUBERNETES = "JOB_COMPLETION_INDEX";

  public Shard {
    if (of < 1 || of > MAX_SHARDS || index < 1 || index > of) {
      throw new SpecException(
          SpecField.SHARD, " %d/%d: expected I/N with I from 1 to N", index, of);
    }
  }

  /**
   * The shard of a process, from an option or the environment of Slurm or Kubernetes.
   *
   * @param text {@code I/N}, or {@code /N} to take the index from the environment; empty to take
   *     both from the environment
   * @throws SettingException if the text or the environment does not give a shard
   */
  public static Shard of(Optional<String> text, Map<String, String> environment) {
    if (text.isEmpty()) {
      Optional<Shard> slurm = ofSlurm(environment);
      if (slurm.isEmpty() && environment.containsKey(KUBERNETES)) {
        throw SpecException.worded(
            SpecField.SHARD,
            SpecText.of(
                "%s is set: expected %s /N with the completions of the job, or %s 1/1",
                KUBERNETES, SpecField.SHARD, SpecField.SHARD));
      }
      return slurm.orElse(ALL);
    }
    Matcher matcher = TEXT.matcher(text.get());
    if (!matcher.matches()) {
      throw new SpecException(
          SpecField.SHARD,
          " %s: expected I/N, as in 2/7, or /N in a Slurm array or an indexed Kubernetes job",
          text.get());
    }
    int of = Integer.parseInt(matcher.group(2));
    if (matcher.group(1) != null) {
      return new Shard(Integer.parseInt(matcher.group(1)), of);
    }
    return new Shard(indexOf(text.get(), environment), of);
  }

  private static int indexOf(String text, Map<String, String> environment) {
    Optional<Shard> slurm = ofSlurm(environment);
    if (slurm.isPresent()) {
      return slurm.get().index;
    }
    if (environment.containsKey(KUBERNETES)) {
      return number(environment, KUBERNETES, 0) + 1;
    }
    throw new SpecException(
        SpecField.SHARD,
        " %s: neither SLURM_ARRAY_TASK_ID nor %s is set, expected I/N",
        text,
        KUBERNETES);
  }

  /** The shard of a task of a Slurm array, whose indices may start anywhere and have a step. */
  private static Optional<Shard> ofSlurm(Map<String, String> environment) {
    if (!environment.containsKey("SLURM_ARRAY_TASK_ID")) {
      return Optional.empty();
    }
    int first = number(environment, "SLURM_ARRAY_TASK_MIN", 1);
    int step = Math.max(1, number(environment, "SLURM_ARRAY_TASK_STEP", 1));
    int index = (number(environment, "SLURM_ARRAY_TASK_ID", 1) - first) / step + 1;
    return Optional.of(new Shard(index, number(environment, "SLURM_ARRAY_TASK_COUNT", index)));
  }

  private static int number(Map<String, String> environment, String name, int otherwise) {
    String text = environment.getOrDefault(name, String.valueOf(otherwise));
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new SettingException(name + "=" + text + ": expected a number", e);
    }
  }

  /** True if a part belongs to this shard. */
  boolean contains(int part) {
    return part % of == index - 1;
  }

  /** The numbers of this shard's parts, of {@code total} parts. */
  public List<Integer> parts(int total) {
    return IntStream.range(0, total).filter(this::contains).boxed().toList();
  }

  /** {@code 2/7}, as {@link #of} reads it. */
  @Override
  public String toString() {
    return index + "/" + of;
  }
}
