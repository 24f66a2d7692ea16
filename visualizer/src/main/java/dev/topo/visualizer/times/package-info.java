/**
 * Choices of algorithm and protocol, predicted and measured times, and calibrations as text, JSON
 * and CSV. Start with {@link dev.topo.visualizer.times.PredictionText} and {@link
 * dev.topo.visualizer.times.TuningText}.
 */
@NullMarked
package dev.topo.visualizer.times;

import org.jspecify.annotations.NullMarked;
