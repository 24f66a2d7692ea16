/**
 * Limits of the model that matter for a job, with remedies. Start with {@link
 * dev.topo.inspect.caveat.CaveatFinder}.
 */
@NullMarked
package dev.topo.inspect.caveat;

import org.jspecify.annotations.NullMarked;
