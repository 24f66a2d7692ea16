/**
 * Causes that the log or the settings of a run state; begin with {@link
 * dev.topo.diagnose.stated.StatedCauses}.
 */
@NullMarked
package dev.topo.diagnose.stated;

import org.jspecify.annotations.NullMarked;
