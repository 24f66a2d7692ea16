package dev.topo.simulator.sweep;

/**
 * The properties of a part that was read: it is whole.
 *
 * @param checksum SHA-256 of its CSV text
 * @param failed rows without a time
 */
public record PartSummary(String checksum, long rows, long failed) {}
