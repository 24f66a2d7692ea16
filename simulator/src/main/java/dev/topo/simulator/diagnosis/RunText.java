package dev.topo.simulator.diagnosis;

/**
 * A file with lines of a run.
 *
 * @param name as the user gave it
 * @param text the contents
 */
public record RunText(String name, String text) {}
