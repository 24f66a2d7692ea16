/**
 * The help of commands: as text in lines of the terminal's width, as man pages, and as completions
 * for shells. Start with {@link dev.topo.cli.help.HelpPage} and {@link dev.topo.cli.help.ManPage}.
 * Depends on picocli's model of a command, but not on any command.
 */
@NullMarked
package dev.topo.cli.help;

import org.jspecify.annotations.NullMarked;
