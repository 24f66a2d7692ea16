/**
 * What the results of a sweep say: designs in order of merit, the Pareto front, what matters. Start
 * with {@link dev.topo.sweep.answer.SweepAnswer}. Knows rows only; evaluates nothing.
 */
@NullMarked
package dev.topo.sweep.answer;

import org.jspecify.annotations.NullMarked;
