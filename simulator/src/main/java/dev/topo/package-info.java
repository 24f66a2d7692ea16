/**
 * The front door of the library: {@link dev.topo.Topo} answers what NCCL does on a machine and how
 * long calls take, from a topology file. It assembles the packages below it and decides nothing
 * itself: {@link dev.topo.simulator.evaluate.JobEvaluator} and the types that it returns have the
 * answers. Knows nothing of the command, of options and of output formats.
 */
@NullMarked
package dev.topo;

import org.jspecify.annotations.NullMarked;
