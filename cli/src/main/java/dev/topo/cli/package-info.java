/**
 * The command {@code topo}: parses its arguments, calls the libraries, and prints the answers with
 * {@code dev.topo.visualizer}. Start with {@link dev.topo.cli.TopoCommand}; each subcommand is a
 * class.
 */
@NullMarked
package dev.topo.cli;

import org.jspecify.annotations.NullMarked;
