/**
 * Causes of bad measurements and what speaks for them; begin with {@link
 * dev.topo.diagnose.cause.Cause}.
 */
@NullMarked
package dev.topo.diagnose.cause;

import org.jspecify.annotations.NullMarked;
