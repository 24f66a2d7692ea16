/**
 * Evaluates the variants of a plan on several threads and writes their rows. Start with {@link
 * dev.topo.sweep.run.SweepRunner}. Equal searches are made once; nothing that is kept grows with
 * the number of variants.
 */
@NullMarked
package dev.topo.sweep.run;

import org.jspecify.annotations.NullMarked;
