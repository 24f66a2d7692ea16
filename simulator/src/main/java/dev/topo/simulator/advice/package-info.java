/**
 * Changes that make a job's calls faster than NCCL's defaults, by how much, and how to set it.
 * Start with {@link dev.topo.simulator.advice.Adviser}; {@link
 * dev.topo.simulator.advice.SetupPredictor} predicts calls with some of the levers, {@link
 * dev.topo.simulator.advice.GraphImprover} finds graphs that use the links of a node better than
 * those of NCCL's search, {@link dev.topo.simulator.advice.HowTo} says how advice is set and
 * checked.
 */
@NullMarked
package dev.topo.simulator.advice;

import org.jspecify.annotations.NullMarked;
