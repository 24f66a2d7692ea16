/**
 * The help of a command as text: short or whole, in lines of the terminal's width. Start with
 * {@link dev.topo.cli.help.HelpPage}. Knows picocli's model of a command and none of the commands.
 */
@NullMarked
package dev.topo.cli.help;

import org.jspecify.annotations.NullMarked;
