package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.VersionOptions;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.variant.Upgrade;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the releases before and after an upgrade. */
final class ReleaseOptions {
  @Option(
      names = "--from",
      paramLabel = "VERSION",
      description = "NCCL release before the upgrade, as in 2.27.5 (default: 2.28.9).")
  private @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "VERSION",
      description = "NCCL release after it (default: 2.28.9); --nccl list shows all.")
  private @Nullable String to;

  /**
   * The upgrade between the releases that the user names. A release without an option is the
   * default.
   *
   * @param version may name both releases instead
   */
  Upgrade upgrade(VersionOptions version, JobEvaluator evaluator) {
    List<ReleaseRules> both = version.two();
    if (from == null && to == null && !both.isEmpty()) {
      return new Upgrade(both.get(0), both.get(1), evaluator);
    }
    refuseIf(
        version.named().isPresent(),
        "--nccl: expected both releases, as in --nccl 2.27.5,2.28.9, in place of --from and --to");
    ReleaseRules before = rules("--from ", from);
    ReleaseRules after = rules("--to ", to);
    refuseIf(
        (from == null || to == null) && before.release().equals(after.release()),
        "expected another release than %s, as in --from 2.27.5 or --to 2.30.7 (--nccl list shows all)"
            .formatted(ReleaseRules.DEFAULT.release()));
    return new Upgrade(before, after, evaluator);
  }

  private static ReleaseRules rules(String option, @Nullable String release) {
    return release == null ? ReleaseRules.DEFAULT : VersionOptions.parse(option, release);
  }
}
