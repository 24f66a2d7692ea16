package dev.topo.cli.help;

import java.util.Arrays;
import java.util.Set;
import picocli.CommandLine.Model.OptionSpec;

/** The subject of an option, which is a section of the full help. */
enum OptionTopic {
  /** Options of the command itself: those that no other topic lists. */
  COMMAND("Options", ""),
  JOB("The job", "--nodes --node --nvlink-domain --gpus --ranks --split"),
  CALLS("The calls", "--collective --sizes --datatype --op --buffers"),
  NCCL("NCCL's release and settings", "--nccl --env --env-from-process"),
  TIMES(
      "Times",
      "--calibration --network --fabric --uplink-gbps --hosts --adaptive-routing --ranks-per-process --launch-us --cuda-graph"
          + " --groups-at-once"),
  INPUT("The input", "--assume --ignore-unknown-elements --strict --verbose"),
  OUTPUT("The output", "--format --quiet --output --out-dir"),
  HELP("Help", "--help --version --debug");

  /** Options of other topics that the short help contains as well. */
  private static final Set<String> MAIN =
      names(
          "--nodes --collective --sizes --nccl --env --buffers --format --quiet --output --help -d -o");

  /** Options of the command itself that only the full help contains. */
  private static final Set<String> FULL_HELP_ONLY =
      names(
          "--agg_iters --average --blocking --corrupt --cta_policy --cudagraph --estimate"
              + " --local_register --memory --nccl-library --parallel_init --per_iter_skip --per_iter_timing"
              + " --report_cputime --report_timestamps --root --run_cycles --stream_null --timeout --unalign");

  private final String title;
  private final Set<String> options;

  OptionTopic(String title, String options) {
    this.title = title;
    this.options = names(options);
  }

  private static Set<String> names(String words) {
    return Set.of(words.split(" "));
  }

  /** The heading of the section. */
  String title() {
    return title;
  }

  /** The topic of an option. */
  static OptionTopic of(OptionSpec option) {
    return Arrays.stream(values())
        .filter(topic -> has(topic.options, option))
        .findFirst()
        .orElse(COMMAND);
  }

  /** True if the short help contains an option. */
  static boolean isMain(OptionSpec option) {
    return of(option) == COMMAND ? !has(FULL_HELP_ONLY, option) : has(MAIN, option);
  }

  private static boolean has(Set<String> names, OptionSpec option) {
    return Arrays.stream(option.names()).anyMatch(names::contains);
  }
}
