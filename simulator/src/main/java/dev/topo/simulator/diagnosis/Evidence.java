package dev.topo.simulator.diagnosis;

/**
 * Something that speaks for a cause.
 *
 * @param place where it was found: {@code log.txt:12}, {@code all_reduce 64 MiB to 1 GiB}, or the
 *     name of a setting
 * @param text what was found there
 */
public record Evidence(String place, String text) {}
