package dev.topo.search.kernel;

/**
 * The calls that a symmetric kernel runs at once.
 *
 * @param calls number of calls
 * @param bytes the sum of their counts in bytes, each rounded up to whole cells
 * @param countBytes the count of each in bytes
 * @param inPlace whether the calls read and write the same buffer
 */
record KernelLaunch(int calls, long bytes, long countBytes, boolean inPlace) {}
