/**
 * Reads data from Python's pickle format without running anything: only opcodes that make numbers,
 * texts, lists, tuples, sets and dictionaries are known. Start with {@link
 * dev.topo.workload.pickle.PickleReader}. The format is that of {@code cpython:Lib/pickletools.py},
 * protocols 0 to 5. Depth, number and memory of values are bounded.
 */
@NullMarked
package dev.topo.workload.pickle;

import org.jspecify.annotations.NullMarked;
