package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.OptionValue;
import dev.topo.model.job.RankSplit;
import dev.topo.model.job.SettingException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The environment variables that nccl-tests 2.19.6 reads.
 *
 * @param environment the variables of the process
 */
record NcclTestsVariables(Map<String, String> environment) {
  private static final String ALLTOALLV_PREFIX = "NCCL_TESTS_ALLTOALLV_";

  /**
   * Refuses variables that change how nccl-tests divides the data of an alltoallv.
   *
   * @throws SettingException if one is set
   */
  void check() {
    for (String name : environment.keySet()) {
      refuseIf(
          name.startsWith(ALLTOALLV_PREFIX),
          name
              + " of nccl-tests: only its default parts are sent (docs/hardware.md),"
              + " expected unset");
    }
  }

  /**
   * How the processes are split into communicators.
   *
   * @param rule the rule that the user gives, which overrides the variables
   */
  Optional<RankSplit> split(@Nullable String rule) {
    String text = rule;
    if (text == null && environment.containsKey("NCCL_TESTS_SPLIT_MASK")) {
      text = "AND 0x" + environment.get("NCCL_TESTS_SPLIT_MASK").replaceFirst("^0[xX]", "");
    }
    if (text == null) {
      text = environment.get("NCCL_TESTS_SPLIT");
    }
    Optional<String> found = Optional.ofNullable(text);
    return OptionValue.accepted("", () -> found.map(RankSplit::parse));
  }

  /** The busbw below which a run fails, in GB/s. */
  OptionalDouble expectedBusbw() {
    String text = environment.get("NCCL_TESTS_MIN_BW");
    try {
      return text == null ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(text));
    } catch (NumberFormatException e) {
      throw new SettingException("NCCL_TESTS_MIN_BW=" + text + ": expected GB/s", e);
    }
  }
}
