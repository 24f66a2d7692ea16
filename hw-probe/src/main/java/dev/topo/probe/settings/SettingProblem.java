package dev.topo.probe.settings;

import java.util.Objects;

/**
 * Something about a setting that is probably not meant.
 *
 * @param code stable name of the kind of problem
 * @param grave whether it probably is a mistake; else it is only good to know
 * @param text where it is and what NCCL makes of it, one line
 * @param advice what to do
 */
public record SettingProblem(String code, boolean grave, String text, String advice) {
  /** Checks that no part is missing. */
  public SettingProblem {
    Objects.requireNonNull(code, "code");
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(advice, "advice");
  }
}
