package dev.topo.simulator.verdict;

import dev.topo.inspect.measured.Measurement;
import java.util.function.Predicate;

/**
 * Selects the measurements for a calibration.
 *
 * @param isWanted accepts the selected measurements
 * @param label description of the selection, for messages
 */
public record MeasurementSelection(Predicate<Measurement> isWanted, String label) {}
