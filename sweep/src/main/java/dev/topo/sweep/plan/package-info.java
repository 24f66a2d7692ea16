/**
 * The variants of a specification by number, the chunks that they are evaluated in, and hashes of
 * content: two variants with one key have the same answers. Start with {@link
 * dev.topo.sweep.plan.SweepPlan}. Evaluates nothing.
 */
@NullMarked
package dev.topo.sweep.plan;

import org.jspecify.annotations.NullMarked;
