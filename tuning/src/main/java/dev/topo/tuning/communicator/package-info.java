/**
 * From a job to all that NCCL decides for it: graphs, connection and tuning in one object. Start
 * with {@link dev.topo.tuning.communicator.Communicator}. Nothing is computed here; it is the one
 * package that knows both {@code dev.topo.search.connect} and {@code dev.topo.tuning}. Reference:
 * {@code initTransportsRank} in {@code nccl:src/init.cc}.
 */
@NullMarked
package dev.topo.tuning.communicator;

import org.jspecify.annotations.NullMarked;
