/**
 * The NCCL libraries, plugins and settings on a machine, and which of them a program or a Python
 * environment would load, without loading any. Start with {@link
 * dev.topo.hw.library.NcclLibraryFinder}, {@link dev.topo.hw.library.LoadFinder} and {@link
 * dev.topo.hw.library.SettingSources}. {@link dev.topo.hw.library.DynamicLoader} follows {@code
 * ld.so(8)}, {@link dev.topo.hw.library.ElfReader} the System V ABI ("gabi", chapters 4 and 5).
 * Independent of GPUs; reads no environment variable of this process.
 */
@NullMarked
package dev.topo.hw.library;

import org.jspecify.annotations.NullMarked;
