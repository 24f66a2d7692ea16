/**
 * What a sweep is about: machines, axes of edits, numbers of nodes, switches, calls or workloads,
 * and by what designs are compared. Start with {@link dev.topo.sweep.spec.SpecReader}. Reads no
 * other file than the specification.
 */
@NullMarked
package dev.topo.sweep.spec;

import org.jspecify.annotations.NullMarked;
