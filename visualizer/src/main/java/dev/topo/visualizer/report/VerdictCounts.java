package dev.topo.visualizer.report;

import dev.topo.simulator.accuracy.MeasurementVerdict;
import java.util.List;

/**
 * Counts of measurements by verdict.
 *
 * @param total number of measurements
 * @param wrong measurements with wrong results
 * @param slow measurements with correct results that took longer than the tolerance allows
 */
record VerdictCounts(int total, long wrong, long slow) {
  static VerdictCounts of(List<MeasurementVerdict> judgements) {
    long wrong = judgements.stream().filter(MeasurementVerdict::isWrong).count();
    long failed = judgements.stream().filter(judgement -> !judgement.passes()).count();
    return new VerdictCounts(judgements.size(), wrong, failed - wrong);
  }
}
