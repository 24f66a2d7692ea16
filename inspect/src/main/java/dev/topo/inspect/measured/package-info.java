/**
 * Measurements of runs on real GPUs: the tables that nccl-tests and {@code topo run} print, the
 * JSON that both write, results of {@code topo verify}, and CSV. Start with {@link
 * dev.topo.inspect.measured.RunReader}; {@link dev.topo.inspect.measured.HostRunReader} reads the
 * runs of single hosts or pairs of hosts. References: {@code nccl-tests:src/common.cu}, {@code
 * nccl-tests:src/util.cu} (2.19.6).
 */
@NullMarked
package dev.topo.inspect.measured;

import org.jspecify.annotations.NullMarked;
