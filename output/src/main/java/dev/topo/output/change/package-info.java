/** What differs between two machines, or before and after a change, and what that changes. */
@NullMarked
package dev.topo.output.change;

import org.jspecify.annotations.NullMarked;
