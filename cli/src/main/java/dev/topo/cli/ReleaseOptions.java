package dev.topo.cli;

import dev.topo.cli.option.VersionOptions;
import dev.topo.model.job.SettingException;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.variant.Upgrade;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the releases before and after an upgrade. */
final class ReleaseOptions {
  @Option(
      names = "--from",
      paramLabel = "VERSION",
      description = "NCCL release before the upgrade, as in 2.27.5.")
  private @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "VERSION",
      description = "NCCL release after it; --nccl list shows all.")
  private @Nullable String to;

  /**
   * The upgrade.
   *
   * @param version may name both releases instead
   */
  Upgrade upgrade(VersionOptions version, JobEvaluator evaluator) {
    List<ReleaseRules> both = version.two();
    if (from == null && to == null && !both.isEmpty()) {
      return new Upgrade(both.get(0), both.get(1), evaluator);
    }
    if (version.named().isPresent()) {
      throw new SettingException(
          "--nccl: expected both releases, as in --nccl 2.27.5,2.28.9, in place of --from and --to");
    }
    if (from == null || to == null) {
      throw new SettingException(
          "expected both releases, as in --from 2.27.5 --to 2.28.9 (--nccl list shows all)");
    }
    ReleaseRules old = VersionOptions.parse("--from ", from);
    return new Upgrade(old, VersionOptions.parse("--to ", to), evaluator);
  }
}
