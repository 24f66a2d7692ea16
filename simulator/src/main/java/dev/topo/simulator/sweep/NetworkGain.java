package dev.topo.simulator.sweep;

import dev.topo.simulator.evaluate.TimeChange;
import dev.topo.simulator.sweep.ResultRow.Outcome;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A design that is faster than another one with more network bandwidth, although only one axis
 * differs: NCCL uses the same algorithm on more channels. It derives their number from its search
 * ({@code ncclTopoPostset}, {@code nccl:src/graph/connect.cc}).
 *
 * @param less the faster design, with less network bandwidth
 * @param more the slower design, with more network bandwidth
 * @param scenario the scenario in which it is faster
 * @param scenarioIndex index of the scenario
 * @param factor ratio of the slower design's time to the faster one's
 */
record NetworkGain(
    ComparedDesign less, ComparedDesign more, Scenario scenario, int scenarioIndex, double factor) {
  /** The largest gain in an answer, on ties the first; empty if there is none. */
  static Optional<NetworkGain> of(SweepAnswer answer) {
    Optional<NetworkGain> largest = Optional.empty();
    for (String axis : answer.axes()) {
      if (axis.equals(AnswerReader.MACHINE)) {
        continue; // another machine may be faster for any reason
      }
      for (List<ComparedDesign> group :
          ComparedDesign.byOtherAxes(answer.ranked(), axis).values()) {
        for (int scenarioIndex = 0; scenarioIndex < answer.scenarios().size(); scenarioIndex++) {
          Optional<NetworkGain> gain =
              ofGroup(group, answer.scenarios().get(scenarioIndex), scenarioIndex);
          if (gain.isPresent()
              && gain.get().factor > largest.map(NetworkGain::factor).orElse(0.0)) {
            largest = gain;
          }
        }
      }
    }
    return largest;
  }

  private static Optional<NetworkGain> ofGroup(
      List<ComparedDesign> group, Scenario scenario, int scenarioIndex) {
    Optional<NetworkGain> largest = Optional.empty();
    double largestFactor = 1;
    for (ComparedDesign less : group) {
      for (ComparedDesign more : group) {
        Outcome fast = less.outcomes().get(scenarioIndex);
        Outcome slow = more.outcomes().get(scenarioIndex);
        double factor = slow.timeUs().orElse(0) / fast.timeUs().orElse(Double.POSITIVE_INFINITY);
        if (less.nicGbps() < more.nicGbps()
            && factor > largestFactor
            && TimeChange.isMore(factor, 1)
            && fast.channels() > slow.channels()
            && fast.algorithm().equals(slow.algorithm())
            && fast.source().equals(slow.source())) {
          largestFactor = factor;
          largest = Optional.of(new NetworkGain(less, more, scenario, scenarioIndex, factor));
        }
      }
    }
    return largest;
  }

  String sentence(List<String> axes) {
    return String.format(
        Locale.ROOT,
        "With less network, %s is %.2f times as fast as %s for %s: by rules of its own NCCL uses %d channels instead of %d (topo explain).",
        less.label(axes),
        factor,
        more.label(axes),
        scenario.label(),
        less.outcomes().get(scenarioIndex).channels(),
        more.outcomes().get(scenarioIndex).channels());
  }
}
