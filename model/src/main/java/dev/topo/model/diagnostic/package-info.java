/**
 * Diagnostics of input files: the location, what is wrong there, and whether it can be lived with.
 * Start with {@link dev.topo.model.diagnostic.Diagnostics}.
 */
@NullMarked
package dev.topo.model.diagnostic;

import org.jspecify.annotations.NullMarked;
