package dev.topo.simulator.verdict;

import dev.topo.simulator.verdict.ErrorTable.Errors;

/**
 * Errors of fits on sizes that were held out of them.
 *
 * @param start errors of the constants at the start of the fits
 * @param moved errors of the fits with the chosen weight of the start; those of the start if no fit
 *     is better
 * @param isKept whether no fit is better than the start
 */
public record HeldOut(Errors start, Errors moved, boolean isKept) {}
