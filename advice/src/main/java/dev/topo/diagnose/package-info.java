/** Ranked causes of a bad measurement, with evidence. */
@NullMarked
package dev.topo.diagnose;

import org.jspecify.annotations.NullMarked;
