package dev.topo.inspect.lint;

import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.search.rules.NcclProfile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Rules for files of NCCL's example tuner plugin, read as the plugin does: the first row that
 * matches a call and names an algorithm and protocol available for it wins ({@code loadConfig} and
 * {@code pluginGetCollInfo}, {@code nccl:ext-tuner/example/plugin.c}, 2.28.9).
 */
final class TunerFileRules {
  private final Optional<TopologyIndex> machine;
  private final NcclProfile profile;
  private final Findings findings;
  private final List<TunerRow> rows = new ArrayList<>();

  TunerFileRules(Optional<TopologyIndex> machine, NcclProfile profile, Findings findings) {
    this.machine = machine;
    this.profile = profile;
    this.findings = findings;
  }

  /** True if a line is a row, even a malformed one, or the heading of {@code topo tune}. */
  static boolean isRow(String line) {
    return line.matches(
        "# *collective_type *,.*|\\s*\\w+ *, *\\d+ *, *\\d+ *, *\\w+ *, *\\w+ *,.*");
  }

  void check(SourceText source) {
    source.forEachLine(
        (start, text) -> {
          if (!text.startsWith("#") && !text.isEmpty()) {
            int end = start + text.length();
            row(text, (rule, message) -> findings.add(rule, start, end, message));
          }
        });
  }

  private void row(String text, BiConsumer<LintRule, String> add) {
    Optional<TunerRow> read = TunerRow.of(text);
    if (read.isEmpty()) {
      add.accept(LintRule.TUNER_ROW, "'" + text.strip() + "' is no row");
      return;
    }
    TunerRow row = read.get();
    if (row.hasAnyChannels()) {
      add.accept(LintRule.TUNER_CHANNELS, "the row has -1 channels");
    }
    Pair pair = row.pair();
    if (!profile.tuning().algorithms.hasPair(row.collective(), pair.algorithm(), pair.protocol())) {
      add.accept(
          LintRule.TUNER_ALGORITHM,
          "NCCL %s has no %s/%s for %s"
              .formatted(
                  profile,
                  pair.algorithm().label(),
                  pair.protocol().name().toLowerCase(Locale.ROOT),
                  row.collective().label()));
      return;
    }
    double nodes = row.nodes();
    double ranks = row.ranks();
    double maxRanks = machine.map(one -> nodes * one.gpus().size()).orElse(ranks);
    boolean areBothStated = nodes > 0 && ranks > 0;
    if (row.max() < row.min()
        || nodes * ranks == 0
        || (areBothStated && (nodes > ranks || ranks > maxRanks))) {
      add.accept(LintRule.TUNER_NEVER, "no call has such a size, or such nodes and ranks");
      return;
    }
    List<TunerRow> overlapping =
        rows.stream()
            .filter(earlier -> earlier.overlaps(row))
            .sorted(Comparator.comparingDouble(TunerRow::min))
            .toList();
    rows.add(row);
    double from = row.min();
    for (TunerRow earlier : overlapping) {
      from = earlier.min() <= from ? Math.max(from, earlier.max() + 1) : from;
    }
    if (!overlapping.isEmpty()) {
      add.accept(
          from > row.max() ? LintRule.TUNER_DEAD : LintRule.TUNER_OVERLAP,
          "sizes of the row are taken by " + overlapping.get(0).text());
    }
  }
}
