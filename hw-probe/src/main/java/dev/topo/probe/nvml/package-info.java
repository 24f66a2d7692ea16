/**
 * The data of NVML and the CUDA driver about the GPUs, as values. Start with {@link
 * dev.topo.probe.nvml.NvmlScope}. Knows no native library: those are in {@code
 * dev.topo.probe.javacpp}.
 */
@NullMarked
package dev.topo.probe.nvml;

import org.jspecify.annotations.NullMarked;
