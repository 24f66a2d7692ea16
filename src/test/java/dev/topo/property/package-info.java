/**
 * Properties of answers on machines and jobs at random: formats and commands agree, times follow
 * sizes, links and nodes, and no time is below its bound. Start with {@link
 * dev.topo.property.DrawnJob}. {@code -Dtest.seed} is the seed of the first case, {@code
 * -Dtest.iters} the number of cases; each failure names its seed.
 */
@NullMarked
package dev.topo.property;

import org.jspecify.annotations.NullMarked;
