/** Options that commands share, as picocli mixins, and the values that stand in them. */
@NullMarked
package dev.topo.cli.option;

import org.jspecify.annotations.NullMarked;
