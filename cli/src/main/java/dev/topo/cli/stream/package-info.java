/**
 * Where the output of the command goes: stdout, stderr and files, each file whole or not at all.
 * Start with {@link dev.topo.cli.stream.Streams} and {@link dev.topo.cli.stream.OutputPlan}. Only
 * this package writes to stdout and stderr.
 */
@NullMarked
package dev.topo.cli.stream;

import org.jspecify.annotations.NullMarked;
