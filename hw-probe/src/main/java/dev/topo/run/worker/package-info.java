/**
 * A run in a process of its own, so that a crash in a driver or in NCCL is a message. {@link
 * dev.topo.run.worker.WorkerProcess} starts it and listens, {@link dev.topo.run.worker.Main} is
 * what it runs. They talk in lines of JSON.
 */
@NullMarked
package dev.topo.run.worker;

import org.jspecify.annotations.NullMarked;
