/**
 * Ranked causes of a bad measurement, with evidence; begin with {@link
 * dev.topo.diagnose.Diagnoser}.
 */
@NullMarked
package dev.topo.diagnose;

import org.jspecify.annotations.NullMarked;
