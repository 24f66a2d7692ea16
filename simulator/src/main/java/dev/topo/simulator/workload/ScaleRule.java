package dev.topo.simulator.workload;

import dev.topo.model.job.SettingException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A rule that scales a job to more ranks: {@code dp}, or {@code dp=GROUP,…} to name the
 * data-parallel groups.
 *
 * @param text the rule as written
 * @param groups names of the data-parallel groups; empty to recognize them by their names
 */
public record ScaleRule(String text, Optional<Set<String>> groups) {
  private static final String DATA_PARALLEL = "dp";

  public ScaleRule {
    groups = groups.map(Set::copyOf);
  }

  /**
   * Parses a rule.
   *
   * @throws SettingException if the text is not a rule
   */
  public static ScaleRule parse(String text) {
    if (text.equals(DATA_PARALLEL)) {
      return new ScaleRule(text, Optional.empty());
    }
    if (!text.startsWith(DATA_PARALLEL + "=")) {
      throw new SettingException(text + ": expected dp or dp=GROUP");
    }
    return new ScaleRule(
        text,
        Optional.of(new TreeSet<>(List.of(text.substring(DATA_PARALLEL.length() + 1).split(",")))));
  }

  /**
   * Scales a job.
   *
   * @param ranks number of ranks of the larger job
   * @throws SettingException if that is not a multiple of the number of traced ranks, or a group
   *     does not exist
   */
  public ParallelScale scale(Workload workload, int ranks) {
    if (ranks % workload.worldSize() != 0) {
      throw new SettingException(
          "%s: %s ranks are no multiple of the %s of the traces"
              .formatted(text, ranks, workload.worldSize()));
    }
    int copies = ranks / workload.worldSize();
    if (groups.isEmpty()) {
      ParallelScale scale = ParallelScale.of(copies, workload);
      if (copies > 1 && scale.groups().isEmpty()) {
        throw new SettingException(
            text
                + ": no group of the traces is one of data parallelism by its name, and none has all ranks; expected dp=GROUP");
      }
      return scale;
    }
    for (String group : groups.get()) {
      if (workload.sites().stream().noneMatch(site -> site.kind().group().title().equals(group))) {
        throw new SettingException("%s: the traces have no group %s".formatted(text, group));
      }
    }
    return new ParallelScale(copies, workload.worldSize(), groups.get());
  }
}
