package dev.topo.simulator.diagnosis;

/**
 * A text file of a run: measurements or a log.
 *
 * @param name as the user gave it
 * @param text the contents
 */
public record RunText(String name, String text) {}
