/**
 * The help of a command as text, in lines of the terminal's width, man pages, and completions of
 * shells. Start with {@link dev.topo.cli.help.HelpPage} and {@link dev.topo.cli.help.ManPage}.
 * Knows picocli's model of a command and none of the commands.
 */
@NullMarked
package dev.topo.cli.help;

import org.jspecify.annotations.NullMarked;
