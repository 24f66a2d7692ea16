/**
 * What changes when a machine or a setting does: paths, graphs, choices and busbw before and after,
 * and outcomes in order of merit. Start with {@link dev.topo.compare.whatif.WhatIfOutcome}. How a
 * machine is changed is {@code dev.topo.model.edit}.
 */
@NullMarked
package dev.topo.compare.whatif;

import org.jspecify.annotations.NullMarked;
