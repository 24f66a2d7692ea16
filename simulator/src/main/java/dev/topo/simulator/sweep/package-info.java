/**
 * Thousands of designs of a cluster, evaluated and compared. {@link
 * dev.topo.simulator.sweep.SpecReader} reads what a sweep is about, {@link
 * dev.topo.simulator.sweep.SweepPlan} numbers its variants, {@link
 * dev.topo.simulator.sweep.SweepRunner} evaluates them on several threads, {@link
 * dev.topo.simulator.sweep.ResultFolder} keeps a compressed table for each chunk of variants,
 * {@link dev.topo.simulator.sweep.Shard} and {@link dev.topo.simulator.sweep.Merge} divide a sweep
 * among processes, {@link dev.topo.simulator.sweep.SweepAnswer} says what the results mean. Equal
 * searches are made once; nothing that is kept grows with the number of variants.
 */
@NullMarked
package dev.topo.simulator.sweep;

import org.jspecify.annotations.NullMarked;
