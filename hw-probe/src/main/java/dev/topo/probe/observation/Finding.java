package dev.topo.probe.observation;

import dev.topo.model.diagnostic.Severity;

/**
 * Something that is wrong on a machine, or that one should know.
 *
 * @param severity how bad it is
 * @param code stable name of the kind of finding, {@code driver-too-old}
 * @param text what it is, one line
 * @param advice what to do, one line; empty if there is nothing to do
 */
public record Finding(Severity severity, String code, String text, String advice) {}
