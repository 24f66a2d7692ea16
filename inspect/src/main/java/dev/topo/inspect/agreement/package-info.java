/**
 * Does real NCCL do what we say? Start with {@link dev.topo.inspect.agreement.LogComparison}: it
 * holds a {@link dev.topo.tuning.communicator.Communicator} against a log of real NCCL, fact by
 * fact. Knows nothing of how either came about.
 */
@NullMarked
package dev.topo.inspect.agreement;

import org.jspecify.annotations.NullMarked;
