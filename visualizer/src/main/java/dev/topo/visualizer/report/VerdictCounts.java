package dev.topo.visualizer.report;

import dev.topo.simulator.accuracy.MeasurementVerdict;
import java.util.List;

/**
 * How many measurements are what was to be expected.
 *
 * @param total all of them
 * @param wrong those whose results were wrong
 * @param slow those that were right, but took longer than predictions allow
 */
record VerdictCounts(int total, long wrong, long slow) {
  static VerdictCounts of(List<MeasurementVerdict> judgements) {
    long wrong = judgements.stream().filter(MeasurementVerdict::isWrong).count();
    long failed = judgements.stream().filter(judgement -> !judgement.passes()).count();
    return new VerdictCounts(judgements.size(), wrong, failed - wrong);
  }
}
