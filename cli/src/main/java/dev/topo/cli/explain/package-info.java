/**
 * What {@code topo explain} follows: a search that tells its steps, and the alternative that is
 * named.
 */
@NullMarked
package dev.topo.cli.explain;

import org.jspecify.annotations.NullMarked;
