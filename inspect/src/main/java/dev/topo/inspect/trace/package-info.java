/**
 * Traces of jobs from PyTorch's profiler, NCCL Inspector, Flight Recorder and Chakra, and tables of
 * calls. Start with {@link dev.topo.inspect.trace.TraceFiles}; {@link
 * dev.topo.inspect.trace.RankTrace} is the record of one rank. Large files are read as a stream.
 * {@link dev.topo.inspect.trace.PickleReader} reads data from Python's pickle format without
 * running any code (opcodes of {@code cpython:Lib/pickletools.py}, protocols 0 to 5; depth, number
 * and memory of values are bounded), {@link dev.topo.inspect.trace.MessageReader} the wire format
 * of Protocol Buffers without a schema.
 */
@NullMarked
package dev.topo.inspect.trace;

import org.jspecify.annotations.NullMarked;
