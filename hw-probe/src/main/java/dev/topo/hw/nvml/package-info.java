/**
 * The data of NVML and the CUDA driver about the GPUs, as values. Start with {@link
 * dev.topo.hw.nvml.NvmlScope}; {@link dev.topo.hw.nvml.JavacppNvmlScope} fills it through the
 * JavaCPP presets, a thin adapter that queries and copies without decisions.
 */
@NullMarked
package dev.topo.hw.nvml;

import org.jspecify.annotations.NullMarked;
