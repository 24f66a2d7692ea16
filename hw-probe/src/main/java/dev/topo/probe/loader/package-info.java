/**
 * Which file the dynamic loader of glibc takes for the name of a library, and by which of its
 * rules, without running anything. Start with {@link dev.topo.probe.loader.DynamicLoader}. Follows
 * {@code ld.so(8)}; reads no environment variable.
 */
@NullMarked
package dev.topo.probe.loader;

import org.jspecify.annotations.NullMarked;
