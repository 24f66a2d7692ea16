/**
 * Evaluates and compares thousands of designs of a cluster. {@link
 * dev.topo.simulator.sweep.SpecReader} reads the specification of a sweep, {@link
 * dev.topo.simulator.sweep.SweepPlan} numbers its variants, {@link
 * dev.topo.simulator.sweep.SweepRunner} evaluates them on several threads, {@link
 * dev.topo.simulator.sweep.ResultFolder} keeps a compressed table for each chunk of variants,
 * {@link dev.topo.simulator.sweep.Shard} and {@link dev.topo.simulator.sweep.Merge} divide a sweep
 * among processes, {@link dev.topo.simulator.sweep.SweepAnswer} compares the designs. Equal graph
 * searches are made once. Memory does not grow with the number of variants, except for the answer.
 */
@NullMarked
package dev.topo.simulator.sweep;

import org.jspecify.annotations.NullMarked;
