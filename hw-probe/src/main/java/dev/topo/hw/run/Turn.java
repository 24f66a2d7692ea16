package dev.topo.hw.run;

/** The part of a comparison that a row belongs to. */
public record Turn(int variant, int round) {
  /** The only turn of a run without a comparison. */
  public static final Turn ONLY = new Turn(0, 0);
}
