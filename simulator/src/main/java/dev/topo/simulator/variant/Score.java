package dev.topo.simulator.variant;

import dev.topo.inspect.edit.NicPlacement;
import dev.topo.model.Labels;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.operation.Call;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Comparator;

/**
 * The measures by which outcomes are ranked; higher is better.
 *
 * @param ringGBps bandwidth of all rings
 * @param treeGBps bandwidth of all trees
 * @param busbwGBps busbw of a large call
 * @param channels channels for rings and trees
 */
public record Score(double ringGBps, double treeGBps, double busbwGBps, int channels) {
  /**
   * An evaluated placement of network cards.
   *
   * @param ring the ring graph
   */
  public record RankedPlacement(NicPlacement placement, ChannelGraph ring, Score score) {
    /** A placement, scored by a job with the cards in those slots and a call of that job. */
    public static RankedPlacement of(NicPlacement placement, WhatIfOutcome outcome, Call call) {
      return new RankedPlacement(placement, outcome.graph(GraphKind.RING), outcome.score(call));
    }
  }

  private static final Comparator<Score> BY_RING =
      Comparator.comparingDouble(Score::ringGBps).reversed();
  private static final Comparator<Score> BY_TREE =
      Comparator.comparingDouble(Score::treeGBps).reversed();
  private static final Comparator<Score> BY_BUSBW =
      Comparator.comparing(Score::shownBusbw).reversed();
  private static final Comparator<Score> BY_CHANNELS =
      Comparator.comparingInt(Score::channels).reversed();

  /** The shown digits of busbw; sums of equal times may differ in later digits. */
  private static final MathContext SHOWN = new MathContext(4);

  private BigDecimal shownBusbw() {
    return BigDecimal.valueOf(busbwGBps).round(SHOWN);
  }

  /** The measure to rank by; the other measures break ties. */
  public enum Ranking {
    /** The bandwidth of the graphs. */
    BANDWIDTH(BY_RING.thenComparing(BY_TREE).thenComparing(BY_BUSBW)),
    /** Busbw of a large call. */
    BUSBW(BY_BUSBW.thenComparing(BY_RING).thenComparing(BY_TREE)),
    /** Number of channels. */
    CHANNELS(BY_CHANNELS.thenComparing(BY_RING).thenComparing(BY_TREE).thenComparing(BY_BUSBW));

    private final Comparator<Score> order;

    Ranking(Comparator<Score> order) {
      this.order = order;
    }

    /** Name in JSON and in text. */
    public String label() {
      return Labels.of(this);
    }

    /** The best first. */
    Comparator<Score> order() {
      return order;
    }
  }
}
