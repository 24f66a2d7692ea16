/**
 * Thin adapter to CUDA and NCCL through the JavaCPP presets; it makes no decisions. Start with
 * {@link dev.topo.hw.javacpp.JavacppGpuJob}. Loaded in the worker process only ({@link
 * dev.topo.hw.javacpp.WorkerMain}), since a crash in a driver or in NCCL ends the process.
 */
@NullMarked
package dev.topo.hw.javacpp;

import org.jspecify.annotations.NullMarked;
