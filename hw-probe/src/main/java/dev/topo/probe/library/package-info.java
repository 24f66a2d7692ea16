/**
 * Which NCCL libraries and plugins are on a machine, and which of them a program or a Python
 * environment would load, without loading any. Start with {@link
 * dev.topo.probe.library.NcclLibraryFinder} and {@link dev.topo.probe.library.LoadFinder}. Knows
 * nothing of GPUs, nor of what a plugin does once it runs.
 */
@NullMarked
package dev.topo.probe.library;

import org.jspecify.annotations.NullMarked;
