/** Options that commands share, as picocli mixins, and their values. */
@NullMarked
package dev.topo.cli.option;

import org.jspecify.annotations.NullMarked;
