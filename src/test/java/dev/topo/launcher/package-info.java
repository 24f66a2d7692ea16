/** The launcher of a checkout. */
@NullMarked
package dev.topo.launcher;

import org.jspecify.annotations.NullMarked;
