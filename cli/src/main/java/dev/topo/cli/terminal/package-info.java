/**
 * What a person at a terminal sees beside the answer: one line on stderr that says how far
 * something long is, and whether colours have a place. Start with {@link
 * dev.topo.cli.terminal.Progress}; {@link dev.topo.cli.terminal.Terminal} alone decides who looks.
 * Knows no command and no library of the project.
 */
@NullMarked
package dev.topo.cli.terminal;

import org.jspecify.annotations.NullMarked;
