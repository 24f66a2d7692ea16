/**
 * Output for terminals only: one line of progress on stderr, and whether to use colours. Start with
 * {@link dev.topo.cli.terminal.Progress}; {@link dev.topo.cli.terminal.Terminal} detects terminals.
 * Independent of commands and, except for the monitors of searches and comparisons, of the other
 * modules.
 */
@NullMarked
package dev.topo.cli.terminal;

import org.jspecify.annotations.NullMarked;
