/**
 * The replay of a job's calls: communicators, what each of their ranks calls, and the times. Start
 * with {@link dev.topo.run.replay.Replayer}. Knows nothing of CUDA.
 */
@NullMarked
package dev.topo.run.replay;

import org.jspecify.annotations.NullMarked;
