/**
 * Sizes at which NCCL's choice provably loses, from measurements alone. Start with {@link
 * dev.topo.diagnose.cliff.CliffFinder}. Knows no model of time.
 */
@NullMarked
package dev.topo.diagnose.cliff;

import org.jspecify.annotations.NullMarked;
