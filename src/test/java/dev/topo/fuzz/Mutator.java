package dev.topo.fuzz;

import java.util.Random;

/** Damages an input. */
interface Mutator {
  /** A damaged copy of a seed. */
  byte[] mutate(byte[] seed, Random random);
}
