package dev.topo.simulator.verdict;

import dev.topo.inspect.measured.Measurement;
import java.util.function.Predicate;

/**
 * The measurements that a calibration is made with.
 *
 * @param isWanted accepts them
 * @param label what selects them, for messages
 */
public record MeasurementSelection(Predicate<Measurement> isWanted, String label) {}
