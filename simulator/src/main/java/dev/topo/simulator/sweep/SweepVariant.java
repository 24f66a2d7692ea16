package dev.topo.simulator.sweep;

/**
 * A variant of a sweep: a design on a fabric with a number of nodes.
 *
 * @param number number of the variant, from 0
 * @param design the machine of its nodes
 * @param fabric the switches between them
 * @param nodes number of nodes
 */
record SweepVariant(long number, Design design, Switches fabric, int nodes) {}
