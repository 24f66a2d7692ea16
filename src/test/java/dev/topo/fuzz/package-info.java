/**
 * Runs the command on damaged inputs of every format and checks how each call ends; start with
 * {@link dev.topo.fuzz.FuzzTest}. A table ({@link dev.topo.fuzz.Formats}) has the formats. It must
 * not know the parsers: an input reaches them through a command line only, but in {@link
 * dev.topo.fuzz.TraceStructureTest}, which counts the memory of a reader.
 */
@NullMarked
package dev.topo.fuzz;

import org.jspecify.annotations.NullMarked;
