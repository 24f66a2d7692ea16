package dev.topo.search.tuning;

import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.search.tuning.Tuner.Decision;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The file that NCCL's example tuner plugin reads, by default {@code nccl_tuner.conf} ({@code
 * loadConfig} and {@code pluginGetCollInfo}, {@code nccl:ext-tuner/example/plugin.c}). The plugin
 * takes the first rule that fits a call and whose algorithm NCCL can run. A call that no rule fits
 * keeps NCCL's algorithm but runs on one channel; a file should therefore have a rule for every
 * collective and size, as {@link #of(Tuner)} does. The plugin cannot set threads; NCCL derives them
 * from the size. For Blackwell jobs of three nodes and more it also changes some of NCCL's tuning
 * constants, which matters only where no rule fits. The published plugin treats the rows of NCCL's
 * table as pointers, which they are not, and crashes with the first rule that fits (NVIDIA/nccl
 * issue 1974 reports a crash with it): it must be built with {@code collCostTable} cast to {@code
 * float (*)[NCCL_NUM_PROTOCOLS]}.
 *
 * @param rules the rules; the first that fits a call applies
 */
public record TunerCsv(List<TunerRule> rules) {
  private static final String HEADING =
      "# collective_type,min_bytes,max_bytes,algorithm,protocol,channels,nNodes,nRanks,numPipeOps,regBuff\n";

  /** The largest size that is searched, 1 TiB: above it no choice changes. */
  public static final long LARGEST_SWITCH = 1L << 40;

  public TunerCsv {
    rules = List.copyOf(rules);
  }

  /** NCCL's own choices for all collectives and sizes, on communicators like this one. */
  public static TunerCsv of(Tuner tuner) {
    SwitchPoints switchPoints = new SwitchPoints(tuner);
    Map<Collective, List<SizeRange>> ranges = new LinkedHashMap<>();
    for (Collective collective : Collective.values()) {
      ranges.put(
          collective,
          switchPoints.ranges(CollectiveCall.of(collective, 0L).exact(), 0, LARGEST_SWITCH));
    }
    return of(ranges, tuner.facts());
  }

  /**
   * Rules for ranges that begin at size 0; the last one of each collective also applies to all
   * larger sizes.
   *
   * @param ranges ranges in the order of the sizes
   * @param facts facts of the communicator of the ranges
   */
  public static TunerCsv of(Map<Collective, List<SizeRange>> ranges, CommFacts facts) {
    return of(ranges, facts, true);
  }

  private static TunerCsv of(
      Map<Collective, List<SizeRange>> ranges, CommFacts facts, boolean isEndless) {
    List<TunerRule> rules = new ArrayList<>();
    ranges.forEach(
        (collective, ofCollective) -> {
          List<TunerRule> merged = merged(collective, ofCollective, facts);
          if (isEndless && !merged.isEmpty()) {
            int end = merged.size() - 1;
            merged.set(end, merged.get(end).withoutEnd());
          }
          rules.addAll(merged);
        });
    return new TunerCsv(
        rules.stream().sorted(Comparator.comparingLong(TunerRule::minBytes)).toList());
  }

  /**
   * Rules for the given ranges only; none for calls that NCCL refuses.
   *
   * @param ranges ranges in the order of the sizes
   * @param facts facts of the communicator of the ranges
   */
  public static TunerCsv within(Map<Collective, List<SizeRange>> ranges, CommFacts facts) {
    return of(ranges, facts, false);
  }

  /** Merges the rules of adjacent ranges with the same algorithm and protocol. */
  private static List<TunerRule> merged(
      Collective collective, List<SizeRange> ranges, CommFacts facts) {
    List<TunerRule> rules = new ArrayList<>();
    for (SizeRange range : ranges) {
      if (range.choice().isPresent()) {
        TunerRule rule = rule(collective, range, range.choice().get(), facts);
        int last = rules.size() - 1;
        if (last >= 0 && rules.get(last).isContinuedBy(rule)) {
          rules.set(last, rules.get(last).continuedBy(rule));
        } else {
          rules.add(rule);
        }
      }
    }
    return rules;
  }

  private static TunerRule rule(
      Collective collective, SizeRange range, Decision.Choice choice, CommFacts facts) {
    return new TunerRule(
        collective,
        range.minBytes(),
        range.maxBytes(),
        choice.algorithm(),
        choice.protocol(),
        choice.channels(),
        facts.nNodes(),
        facts.nRanks(),
        TunerRule.ANY,
        TunerRule.ANY);
  }

  /** The rules for some collectives only. */
  public TunerCsv only(Collection<Collective> collectives) {
    return new TunerCsv(
        rules.stream().filter(rule -> collectives.contains(rule.collective())).toList());
  }

  /** This file with a rule before all others, so that it applies wherever it fits. */
  public TunerCsv withFirst(TunerRule rule) {
    List<TunerRule> joined = new ArrayList<>(List.of(rule));
    joined.addAll(rules);
    return new TunerCsv(joined);
  }

  /** The text of the file: a comment that names the columns, then a line for each rule. */
  public String write() {
    return rules.stream().map(rule -> rule + "\n").collect(Collectors.joining("", HEADING, ""));
  }
}
