/**
 * Reads traces of jobs: those of PyTorch's profiler, NCCL Inspector's, Flight Recorder's, and a
 * table. Start with {@link dev.topo.workload.trace.TraceReader}. Large files are read as a stream.
 */
@NullMarked
package dev.topo.workload.trace;

import org.jspecify.annotations.NullMarked;
