/**
 * The differences between NCCL versions, as data: limits, bandwidths, tables, thresholds and
 * defaults. Start with {@link dev.topo.search.rules.NcclProfile}; its resource {@code 2.28.9.rules}
 * lists every number with its origin, and {@link
 * dev.topo.search.rules.ReleaseRules.CoveredReleases} lists the releases to which the rules of each
 * version apply. Knows no topology and no job.
 */
@NullMarked
package dev.topo.search.rules;

import org.jspecify.annotations.NullMarked;
