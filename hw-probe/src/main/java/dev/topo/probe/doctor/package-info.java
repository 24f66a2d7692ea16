/**
 * All that decides on a machine whether and how NCCL runs, in one look, and what is wrong with it.
 * Start with {@link dev.topo.probe.doctor.Doctor}. Prints nothing and reads no environment variable
 * of this process.
 */
@NullMarked
package dev.topo.probe.doctor;

import org.jspecify.annotations.NullMarked;
