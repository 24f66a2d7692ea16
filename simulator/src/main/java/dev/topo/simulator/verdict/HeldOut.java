package dev.topo.simulator.verdict;

import dev.topo.simulator.verdict.ErrorTable.Errors;

/**
 * Errors on sizes that fits have not seen.
 *
 * @param sizes sizes of calls, each held out once
 * @param start errors by the constants where the fits start
 * @param moved errors by the fits that move as far as the times support; those of the start where
 *     none is better
 * @param isKept whether none is better
 */
public record HeldOut(int sizes, Errors start, Errors moved, boolean isKept) {}
