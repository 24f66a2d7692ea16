/**
 * Whether a topology file, a graph file or a configuration file of NCCL is right: what NCCL would
 * do with it, silently or not, and how to fix it. Start with {@link dev.topo.inspect.lint.Linter}.
 * Knows nothing of channels and prints nothing.
 */
@NullMarked
package dev.topo.inspect.lint;

import org.jspecify.annotations.NullMarked;
