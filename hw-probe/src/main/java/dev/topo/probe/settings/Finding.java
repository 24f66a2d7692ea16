package dev.topo.probe.settings;

import dev.topo.model.diagnostic.Severity;

/**
 * A problem or a note about a machine or its settings.
 *
 * @param code stable name of the kind of finding, {@code driver-too-old}
 * @param advice the remedy, one line; may be empty
 */
public record Finding(Severity severity, String code, String text, String advice) {}
