/**
 * Checks everything on a machine that decides whether and how NCCL runs. Start with {@link
 * dev.topo.probe.doctor.Doctor}. Prints nothing and reads no environment variable of this process.
 */
@NullMarked
package dev.topo.probe.doctor;

import org.jspecify.annotations.NullMarked;
