/**
 * What readers have to say about their input: where something stands, what is wrong with it, and
 * whether it can be lived with. Start with {@link dev.topo.model.diagnostic.Diagnostics}.
 */
@NullMarked
package dev.topo.model.diagnostic;

import org.jspecify.annotations.NullMarked;
