/**
 * Ranked causes of a bad measurement, with evidence. Start with {@link
 * dev.topo.simulator.diagnosis.Diagnoser}: {@link dev.topo.simulator.diagnosis.StatedCauses} are
 * the causes that the log or the settings of a run state, {@link
 * dev.topo.simulator.diagnosis.Hypotheses} those whose times fit the measurements better than those
 * of the healthy job, {@link dev.topo.simulator.diagnosis.CliffFinder} finds sizes at which another
 * algorithm is measurably faster than NCCL's choice, {@link
 * dev.topo.simulator.diagnosis.AssumedMachine} is used where no topology file is given.
 */
@NullMarked
package dev.topo.simulator.diagnosis;

import org.jspecify.annotations.NullMarked;
