/**
 * The results of a sweep: a folder with a description and a compressed table for each chunk of
 * variants. Start with {@link dev.topo.sweep.result.ResultFolder}. Alone writes and reads files of
 * results; knows nothing of how rows come about.
 */
@NullMarked
package dev.topo.sweep.result;

import org.jspecify.annotations.NullMarked;
