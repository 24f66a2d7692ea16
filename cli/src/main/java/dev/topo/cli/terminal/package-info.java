/**
 * The output of the command: stdout, stderr, files that are written completely or not at all, and
 * one line of progress on terminals. Start with {@link dev.topo.cli.terminal.Streams}, {@link
 * dev.topo.cli.terminal.OutputPlan} and {@link dev.topo.cli.terminal.Progress}. Only this package
 * writes to stdout and stderr.
 */
@NullMarked
package dev.topo.cli.terminal;

import org.jspecify.annotations.NullMarked;
