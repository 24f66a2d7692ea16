/** The basis of {@code topo explain}: a traced search, and the alternative that the user names. */
@NullMarked
package dev.topo.cli.explain;

import org.jspecify.annotations.NullMarked;
