package dev.topo.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.graph.GraphKind;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.engine.ChannelVerifier;
import dev.topo.search.engine.Constraints;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.engine.GraphSearch.GraphRequest;
import dev.topo.search.engine.SearchMonitor;
import dev.topo.search.engine.SearchMonitor.SearchOutcome;
import dev.topo.search.fixture.RandomMachine;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The engine against brute force ({@link RingPacking}) on machines at random ({@link
 * RandomMachine}), for rings on one node. Compared are, attempt by attempt:
 *
 * <ul>
 *   <li>where the engine finds channels, brute force finds as many under the same constraints (at
 *       most {@value #MOST_CHANNELS} are looked for: from there on brute force takes too long);
 *   <li>where the engine has tried everything and found nothing, not even the fewest channels that
 *       count exist;
 *   <li>where the engine finds nothing in the whole search, brute force finds nothing at the lowest
 *       bandwidth and the farthest paths that were tried.
 * </ul>
 *
 * <p>Not compared is whether NCCL could have found more channels: it stops looking early on
 * purpose. {@code -Dtest.seed} is the seed of the first machine, {@code -Dtest.iters} the number of
 * machines.
 */
class RandomTest {
  private static final long SEED = Long.getLong("test.seed", 1);
  private static final int MACHINES = Integer.getInteger("test.iters", 400);
  private static final int MOST_CHANNELS = 4;

  private int found;
  private int nothing;
  private int infeasible;

  @Test
  @Tag("slow")
  void ringsAgreeWithBruteForce() {
    for (long seed = SEED; seed < SEED + MACHINES; seed++) {
      List<Domain> domains =
          DomainFinder.find(
              RandomMachine.of(seed), NcclSettings.DEFAULTS, false, NcclProfile.DEFAULT);
      for (Domain domain : domains) {
        if (domains.size() == 1 && domain.topology().gpus().size() > 1) {
          compare(domain, "seed " + seed);
        }
      }
    }
    System.out.println(
        String.format(
            Locale.ROOT,
            "random machines %d: %d attempts with channels, %d without, %d machines without any",
            MACHINES,
            found,
            nothing,
            infeasible));
    if (MACHINES >= 400) {
      // Otherwise the comparison would be empty.
      assertTrue(found > 100 && nothing > 100 && infeasible > 10, "too few cases of a kind");
    }
  }

  private void compare(Domain domain, String seed) {
    RingPacking packing = new RingPacking(domain);
    Attempts attempts = new Attempts();
    SearchOutcome outcome =
        new GraphSearch(domain, NcclSettings.DEFAULTS, Optional.empty(), attempts)
            .find(GraphRequest.ring(NcclProfile.DEFAULT));
    for (Attempt attempt : attempts.list) {
      String text = seed + ", " + attempt;
      if (attempt.channels > 0) {
        found++;
        int wanted = Math.min(attempt.channels, MOST_CHANNELS);
        assertTrue(packing.fits(attempt.constraints, wanted), "not feasible: " + text);
      } else if (attempt.triedEverything) {
        nothing++;
        int fewest = fewest(attempt.constraints);
        assertTrue(
            fewest > MOST_CHANNELS || !packing.fits(attempt.constraints, fewest),
            "feasible but not found: " + text);
      }
    }
    if (outcome instanceof SearchOutcome.Infeasible) {
      infeasible++;
      Constraints weakest = attempts.weakest();
      assertTrue(
          !packing.fits(weakest, fewest(weakest)),
          "feasible but not found at all: " + seed + ", " + weakest);
    } else {
      assertEquals(List.of(), ChannelVerifier.verify(domain, outcome.graph()), seed);
    }
  }

  /** The second pass of a search that found nothing asks for 0 channels, which none would meet. */
  private static int fewest(Constraints constraints) {
    return Math.max(1, constraints.minChannels());
  }

  /**
   * An attempt of the engine.
   *
   * @param channels the most that it found; 0 if nothing better than before
   * @param triedEverything whether it ended for lack of possibilities, with nothing found before
   *     that could have kept it from counting channels
   */
  private record Attempt(Constraints constraints, int channels, boolean triedEverything) {}

  /** Writes down all attempts of a search. */
  private static final class Attempts implements SearchMonitor {
    private final List<Attempt> list = new ArrayList<>();
    private boolean anythingFound;
    private int channels;

    @Override
    public void attemptStarted(GraphKind kind, Constraints constraints) {
      channels = 0;
    }

    @Override
    public void improved(GraphKind kind, int nChannels, int hops) {
      channels = Math.max(channels, nChannels);
    }

    @Override
    public void attemptEnded(GraphKind kind, Constraints constraints, AttemptEnd end, int steps) {
      anythingFound |= channels > 0;
      list.add(new Attempt(constraints, channels, end == AttemptEnd.COMPLETE && !anythingFound));
    }

    /**
     * The last demands at the lowest bandwidth and the farthest paths. Between AMD CPUs NCCL does
     * not give up that channels are equal.
     */
    Constraints weakest() {
      Constraints weakest = list.get(0).constraints;
      for (Attempt attempt : list) {
        Constraints other = attempt.constraints;
        if (other.bwIntra() < weakest.bwIntra()
            || (other.bwIntra() == weakest.bwIntra()
                && weakest.typeIntra().isWithin(other.typeIntra()))) {
          weakest = other;
        }
      }
      return weakest;
    }
  }
}
