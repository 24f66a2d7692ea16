/**
 * What links physically carry: line rates by kind of link, from a table with the origin of each.
 * Start with {@link dev.topo.tuning.bound.link.PhysicalLinks}. NCCL's own bandwidths, with which it
 * plans, are those of {@code dev.topo.model.Link}.
 */
@NullMarked
package dev.topo.tuning.bound.link;

import org.jspecify.annotations.NullMarked;
