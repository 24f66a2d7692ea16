/**
 * Input and output of the product: files read with their hashes and faults with a location, files
 * written whole or not at all, lines and tables for people, work on several threads with results in
 * order. Start with {@link dev.topo.model.io.Inputs}, {@link dev.topo.model.io.Diagnostics} and
 * {@link dev.topo.model.io.WholeFile}. Knows nothing of what is read and written.
 */
@NullMarked
package dev.topo.model.io;

import org.jspecify.annotations.NullMarked;
