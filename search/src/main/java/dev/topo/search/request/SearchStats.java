package dev.topo.search.request;

/**
 * How much work a search was.
 *
 * @param attempts sets of constraints that were tried
 * @param steps steps of the recursion in all of them
 */
public record SearchStats(int attempts, long steps) {}
