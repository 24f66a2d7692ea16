package dev.topo.simulator.verdict;

import dev.topo.simulator.verdict.ErrorTable.Errors;

/**
 * Errors on sizes that fits have not seen.
 *
 * @param start errors of the constants at the start of the fits
 * @param moved errors of the chosen fits; those of the start if none is better
 * @param isKept whether no fit is better than the start
 */
public record HeldOut(Errors start, Errors moved, boolean isKept) {}
