package dev.topo.hw.run;

/** Variant and round of a comparison that a row belongs to. */
public record Turn(int variant, int round) {
  /** Only turn of a run without a comparison. */
  public static final Turn ONLY = new Turn(0, 0);
}
