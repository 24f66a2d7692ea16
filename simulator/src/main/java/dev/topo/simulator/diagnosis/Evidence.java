package dev.topo.simulator.diagnosis;

/**
 * Evidence for a cause.
 *
 * @param place where it was found: {@code log.txt:12}, {@code all_reduce 64 MiB to 1 GiB}, or the
 *     name of a setting
 * @param text the finding
 */
public record Evidence(String place, String text) {}
