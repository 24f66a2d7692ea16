/**
 * Releases of NCCL, and which of them each version with rules answers for: start with {@link
 * dev.topo.search.rules.release.CoveredReleases}. Knows no rules.
 */
@NullMarked
package dev.topo.search.rules.release;

import org.jspecify.annotations.NullMarked;
