/**
 * Input and output: files read with their hashes, errors with a location, files written completely
 * or not at all, readable lines and tables, parallel work with results in order. Start with {@link
 * dev.topo.model.io.Inputs}, {@link dev.topo.model.io.Diagnostics} and {@link
 * dev.topo.model.io.WholeFile}. Knows nothing about the content of the files.
 */
@NullMarked
package dev.topo.model.io;

import org.jspecify.annotations.NullMarked;
