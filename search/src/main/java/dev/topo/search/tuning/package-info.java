/**
 * Which algorithm and protocol NCCL chooses for a collective, on how many channels and threads, and
 * how long it believes that to take. Start with {@link dev.topo.search.tuning.Tuner}: it takes what
 * is known of a communicator as {@link dev.topo.search.tuning.CommFacts} and answers a {@link
 * dev.topo.search.tuning.CollectiveCall}; {@link dev.topo.search.tuning.SwitchPoints} tells at
 * which sizes the answer changes. The times are those of NCCL's cost model, by which it compares;
 * they predict no hardware. Nothing here searches or connects channels. Single and double precision
 * alternate where they do in NCCL, so that its numbers come out to the last bit. Reference: {@code
 * nccl:src/graph/tuning.cc} and {@code nccl:src/enqueue.cc}.
 */
@NullMarked
package dev.topo.search.tuning;

import org.jspecify.annotations.NullMarked;
