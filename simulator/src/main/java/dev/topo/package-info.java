/**
 * Facade of the library: {@link dev.topo.Topo} predicts from a topology file what NCCL does on a
 * machine and how long calls take. It contains no rules of its own but combines the packages below:
 * {@link dev.topo.simulator.evaluate.JobEvaluator} and the types that it returns have the answers.
 * Independent of the command line and of output formats.
 */
@NullMarked
package dev.topo;

import org.jspecify.annotations.NullMarked;
