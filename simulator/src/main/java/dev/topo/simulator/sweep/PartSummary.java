package dev.topo.simulator.sweep;

/**
 * What was found out about a part by reading it: it is whole.
 *
 * @param checksum SHA-256 of its CSV text
 * @param failed rows without a time
 */
public record PartSummary(String checksum, long rows, long failed) {}
