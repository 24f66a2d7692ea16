/**
 * Options that commands share, as picocli mixins, and their values: here settings, calibration and
 * output, below by subject. Start with {@link dev.topo.cli.option.OutputOptions}. Knows no command.
 */
@NullMarked
package dev.topo.cli.option;

import org.jspecify.annotations.NullMarked;
