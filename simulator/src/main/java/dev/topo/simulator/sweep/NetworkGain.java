package dev.topo.simulator.sweep;

import dev.topo.simulator.evaluate.TimeChange;
import dev.topo.simulator.sweep.ResultRow.Outcome;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A design that is faster than one that differs only in more or faster network ports, by the same
 * algorithm on more channels. NCCL derives their number from its search ({@code ncclTopoPostset},
 * {@code nccl:src/graph/connect.cc}).
 *
 * @param less the design with less network
 * @param more the other design
 * @param scenario where it is faster
 * @param place the index of the scenario
 * @param factor ratio of the other design's time to its own
 */
record NetworkGain(
    ComparedDesign less, ComparedDesign more, Scenario scenario, int place, double factor) {
  /** The largest gain of an answer, of equal ones the first; empty if there is none. */
  static Optional<NetworkGain> of(SweepAnswer answer) {
    Optional<NetworkGain> largest = Optional.empty();
    for (String axis : answer.axes()) {
      if (axis.equals(AnswerReader.MACHINE)) {
        continue; // another machine may be faster for any reason
      }
      for (List<ComparedDesign> group :
          ComparedDesign.byOtherAxes(answer.ranked(), axis).values()) {
        for (int place = 0; place < answer.scenarios().size(); place++) {
          Optional<NetworkGain> gain = ofGroup(group, answer.scenarios().get(place), place);
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
      List<ComparedDesign> group, Scenario scenario, int place) {
    Optional<NetworkGain> largest = Optional.empty();
    double most = 1;
    for (ComparedDesign less : group) {
      for (ComparedDesign more : group) {
        Outcome fast = less.outcomes().get(place);
        Outcome slow = more.outcomes().get(place);
        double factor = slow.timeUs().orElse(0) / fast.timeUs().orElse(Double.POSITIVE_INFINITY);
        if (less.nicGbps() < more.nicGbps()
            && factor > most
            && TimeChange.isMore(factor, 1)
            && fast.channels() > slow.channels()
            && fast.algorithm().equals(slow.algorithm())
            && fast.source().equals(slow.source())) {
          most = factor;
          largest = Optional.of(new NetworkGain(less, more, scenario, place, factor));
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
        less.outcomes().get(place).channels(),
        more.outcomes().get(place).channels());
  }
}
