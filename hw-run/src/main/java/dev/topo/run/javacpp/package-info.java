/**
 * CUDA and NCCL through the presets of JavaCPP: a thin shell without decisions of its own. Start
 * with {@link dev.topo.run.javacpp.JavacppGpuJob}. Loaded in the worker process only, since a crash
 * in a driver or in NCCL ends the process.
 */
@NullMarked
package dev.topo.run.javacpp;

import org.jspecify.annotations.NullMarked;
