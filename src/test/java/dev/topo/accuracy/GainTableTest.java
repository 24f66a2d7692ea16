package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.accuracy.LeverRuns.Run;
import dev.topo.model.operation.Call;
import dev.topo.simulator.advice.Alternative;
import dev.topo.simulator.advice.Gain;
import dev.topo.simulator.advice.GainFinder;
import dev.topo.simulator.verdict.ErrorTable.Errors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The table of the errors of gains is what measured gains give. */
class GainTableTest {
  private static final Path FILE =
      Path.of(System.getProperty("topo.root"))
          .resolve("simulator/src/main/resources/dev/topo/simulator/advice/gains.txt");

  /** Fewer ratios say nothing of 90 of 100. */
  private static final int LEAST_RATIOS = 4;

  private static final List<List<Run>> FILES =
      List.of(LeverRuns.first(), LeverRuns.campaign(), LeverRuns.peerChannels());

  private static final long[] FROM_BYTES = {0, 1 << 20, 16 << 20};

  private static final String HEADING =
      """
      # What 90 of 100 predicted gains are off by at most, as a part of the smaller of the measured and the predicted ratio of times.
      # From every second size of src/test/resources/measured/h200-x2-processes/levers.csv and levers-2.csv, of peer-channels
      # levers-3.csv, out of place: 2 NVIDIA H200 (NVSwitch, virtual machine), NCCL 2.28.9, a process for each GPU, NVLink multicast off, 2026-11-22 and 23.
      # GainTableTest computes it; -Dgolden.update=true writes it.
      # basis  from bytes  part  ratios
      """;

  private static Map<String, List<Double>> errors(boolean forRules) {
    Map<String, List<Double>> errors = new TreeMap<>();
    for (List<Run> file : FILES) {
      Map<Call, Map<String, Run>> calls = LeverRuns.byCall(file);
      calls.forEach(
          (call, runs) ->
              runs.values().stream()
                  .filter(run -> runs.containsKey("default") && !run.lever().equals("default"))
                  .filter(run -> run.isForRules() == forRules)
                  .forEach(run -> add(errors, runs.get("default"), run)));
    }
    return errors;
  }

  private static void add(Map<String, List<Double>> errors, Run byDefault, Run run) {
    if (run.named().isEmpty() || isFewer(run)) {
      return;
    }
    Alternative now = LeverRuns.now(run.call());
    Optional<Alternative> predicted = run.predicted();
    if (predicted.isEmpty() || predicted.get().basis().isEmpty()) {
      return;
    }
    double ratio = now.timeUs() / predicted.get().timeUs();
    double measured = byDefault.timeUs() / run.timeUs();
    double error = ratio / measured - 1;
    long from = 0;
    for (long one : FROM_BYTES) {
      from = run.call().sizeBytes() >= one ? one : from;
    }
    if (Boolean.getBoolean("show")) {
      System.out.printf(
          Locale.ROOT,
          "%-14s %10d %-22s %-20s measured %.3f predicted %.3f %+.1f %%%n",
          run.call().operation().ncclTestsName(),
          run.call().sizeBytes(),
          run.lever(),
          predicted.get().basis(),
          measured,
          ratio,
          100 * error);
    }
    errors
        .computeIfAbsent(
            predicted.get().basis() + " " + "%012d".formatted(from), k -> new ArrayList<>())
        .add(error >= 0 ? error : 1 / (1 + error) - 1);
  }

  /** Channels that NCCL takes by itself are no lever, and fewer are never advised. */
  private static boolean isFewer(Run run) {
    int ctas = run.named().orElseThrow().ctas();
    int peers = run.named().orElseThrow().peerChannels();
    return (ctas > 0 && ctas < 24) || (peers > 0 && peers <= 32);
  }

  private static List<String> lines(Map<String, List<Double>> errors) {
    List<String> lines = new ArrayList<>();
    errors.forEach(
        (key, all) -> {
          if (all.size() >= LEAST_RATIOS) {
            String[] parts = key.split(" ");
            Errors of = Errors.of(all.stream().mapToDouble(Double::doubleValue).toArray());
            lines.add(
                String.format(
                    Locale.ROOT,
                    "%s %d %.2f %d",
                    parts[0],
                    Long.parseLong(parts[1]),
                    Math.ceil(100 * of.percentile90()) / 100,
                    of.count()));
          }
        });
    return lines;
  }

  @Test
  void theTableIsWhatMeasuredGainsGive() throws IOException {
    String text = HEADING + String.join("\n", lines(errors(true))) + "\n";
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(FILE, text);
    }
    assertEquals(text, Files.readString(FILE));
  }

  /** Levers of the campaign whose effect is not predicted. */
  private static final Map<String, String> SETTINGS =
      new TreeMap<>(
          Map.of(
              "buffsize1M", "NCCL_BUFFSIZE=1048576",
              "buffsize16M", "NCCL_BUFFSIZE=16777216",
              "nthreads256", "NCCL_NTHREADS=256",
              "ll128threads320", "NCCL_LL128_NTHREADS=320",
              "p2pchunk128K", "NCCL_P2P_NVL_CHUNKSIZE=131072",
              "p2pchunk2M", "NCCL_P2P_NVL_CHUNKSIZE=2097152",
              "p2pread1", "NCCL_P2P_READ_ENABLE=1"));

  private static String settings() {
    Map<Call, Map<String, Run>> calls = LeverRuns.byCall(LeverRuns.campaign());
    StringBuilder lines = new StringBuilder();
    SETTINGS.forEach(
        (lever, setting) -> {
          DoubleSummaryStatistics gains =
              calls.values().stream()
                  .filter(runs -> runs.containsKey(lever))
                  .filter(runs -> runs.get(lever).call().sizeBytes() >= 1 << 20)
                  .mapToDouble(
                      runs -> 100 * (runs.get("default").timeUs() / runs.get(lever).timeUs() - 1))
                  .summaryStatistics();
          lines.append(
              String.format(
                  Locale.ROOT,
                  "%s %.1f %.1f %.1f %d%n",
                  setting,
                  gains.getMin(),
                  gains.getMax(),
                  gains.getAverage(),
                  gains.getCount()));
        });
    return lines.toString();
  }

  @Test
  void theTableOfSettingsIsWhatTheCampaignGives() throws IOException {
    String text =
        """
        # What settings whose effect is not predicted gain, in percent, over calls of 1 MiB to 1 GiB of six operations where they were
        # measured (src/test/resources/measured/h200-x2-processes/levers-2.csv): 2 NVIDIA H200, NCCL 2.28.9, 2026-11-23.
        # GainTableTest computes it; -Dgolden.update=true writes it.
        # setting  least  most  mean  calls
        """
            + settings();
    Path file = FILE.resolveSibling("settings.txt");
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(file, text);
    }
    assertEquals(text, Files.readString(file));
  }

  /** The ranges hold most of the gains at sizes that the table is not made from. */
  @Test
  void rangesHoldTheOtherSizes() {
    GainFinder gains = new GainFinder(true);
    int[] held = new int[2];
    int[] all = new int[2];
    for (List<Run> file : FILES) {
      LeverRuns.byCall(file)
          .forEach(
              (call, runs) -> {
                for (Run run : runs.values()) {
                  Optional<Gain> gain =
                      run.isForRules() || run.named().isEmpty() || isFewer(run)
                          ? Optional.empty()
                          : run.predicted()
                              .filter(one -> !one.basis().isEmpty())
                              .flatMap(one -> gains.gain(LeverRuns.now(call), one));
                  if (gain.isPresent() && runs.containsKey("default")) {
                    double measured = runs.get("default").timeUs() / run.timeUs();
                    int large = call.sizeBytes() < 1 << 20 ? 0 : 1;
                    all[large]++;
                    held[large] +=
                        measured >= gain.get().least() && measured <= gain.get().most() ? 1 : 0;
                  }
                }
              });
    }
    System.out.printf(
        "gains of the sizes left out in their range: %d of %d, from 1 MiB on %d of %d%n",
        held[0] + held[1], all[0] + all[1], held[1], all[1]);
    assertTrue(held[1] >= 0.8 * all[1]);
  }
}
