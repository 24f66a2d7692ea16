/**
 * A job compared with a variant of it: graphs, NCCL's choices and busbw before and after. Start
 * with {@link dev.topo.simulator.variant.WhatIfOutcome} for edits of a machine or of its settings,
 * with {@link dev.topo.simulator.variant.PairDiff} for two machines, with {@link
 * dev.topo.simulator.variant.Upgrade} for another release of NCCL, and with {@link
 * dev.topo.simulator.variant.TracedCommunicator} for alternatives to what a search found. {@code
 * dev.topo.inspect.edit} edits machines. Knows no options and no output formats.
 */
@NullMarked
package dev.topo.simulator.variant;

import org.jspecify.annotations.NullMarked;
