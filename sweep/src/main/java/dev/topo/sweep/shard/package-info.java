/**
 * Division of a sweep among processes that do not know each other, and the union of their results.
 * Start with {@link dev.topo.sweep.shard.Shard} and {@link dev.topo.sweep.shard.Merge}. Evaluates
 * nothing.
 */
@NullMarked
package dev.topo.sweep.shard;

import org.jspecify.annotations.NullMarked;
