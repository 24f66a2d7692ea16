/** How advice is set and checked: settings, rules of the tuner plugin, lines of a program. */
@NullMarked
package dev.topo.advice.how;

import org.jspecify.annotations.NullMarked;
