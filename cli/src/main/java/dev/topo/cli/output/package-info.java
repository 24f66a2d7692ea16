/**
 * What the command prints: answers as text for people and as data for programs, always the same
 * bytes for the same question. Start with {@link dev.topo.cli.output.Streams} and {@link
 * dev.topo.cli.output.OutputPlan}. Only this package writes to stdout and stderr, and only it and
 * the packages below, one for each subject, touch Jackson.
 */
@NullMarked
package dev.topo.cli.output;

import org.jspecify.annotations.NullMarked;
