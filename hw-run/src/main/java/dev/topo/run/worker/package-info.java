/**
 * A run in a separate process, so that a crash in a driver or in NCCL becomes a message. {@link
 * dev.topo.run.worker.WorkerProcess} starts it and receives its events; {@link
 * dev.topo.run.javacpp.WorkerMain} is what it runs. They communicate by lines of JSON.
 */
@NullMarked
package dev.topo.run.worker;

import org.jspecify.annotations.NullMarked;
