/**
 * The command {@code topo}: parses its arguments, asks the libraries, prints through {@code
 * dev.topo.output}. Start with {@link dev.topo.cli.TopoCommand}; each subcommand is a class. Only
 * this module touches picocli.
 */
@NullMarked
package dev.topo.cli;

import org.jspecify.annotations.NullMarked;
