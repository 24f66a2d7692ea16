package dev.topo.simulator.evaluate;

import dev.topo.model.job.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.rules.ReleaseRules;
import java.nio.file.Path;

/**
 * A job as it is stated: nothing is read yet, and nothing compared with its machines. {@link
 * JobResolver} makes a {@link JobRequest} of each of its communicators.
 *
 * @param layout the machines, and how ranks are ordered and split
 * @param gpus the GPUs of each machine that take part
 * @param settings NCCL's settings, the same for all processes
 * @param rules the rules of NCCL
 * @param times what determines times besides
 */
public record JobSpec(
    RankLayout layout,
    GpuSelection gpus,
    NcclSettings settings,
    ReleaseRules rules,
    TimeSpec times) {
  /** All GPUs of equal hosts, under the default settings and rules. */
  public static JobSpec of(Path file, int nodes) {
    return new JobSpec(
        RankLayout.ofEqual(file, nodes),
        GpuSelection.ALL,
        NcclSettings.DEFAULTS,
        ReleaseRules.DEFAULT,
        TimeSpec.USUAL);
  }

  /** The same on other machines, or with ranks in another order or split. */
  public JobSpec withLayout(RankLayout other) {
    return new JobSpec(other, gpus, settings, rules, times);
  }

  /** The same with other settings. */
  public JobSpec withSettings(NcclSettings others) {
    return new JobSpec(layout, gpus, others, rules, times);
  }

  /** The same under other rules. */
  public JobSpec withRules(ReleaseRules others) {
    return new JobSpec(layout, gpus, settings, others, times);
  }

  /** The same with other determinants of times. */
  public JobSpec withTimes(TimeSpec others) {
    return new JobSpec(layout, gpus, settings, rules, others);
  }
}
