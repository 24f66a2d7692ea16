/**
 * Shared by the commands about a job of machines, beyond their options: probing this host, the
 * graph file of a job, its measurements, its missing ports, and the names of its machines.
 */
@NullMarked
package dev.topo.cli.job;

import org.jspecify.annotations.NullMarked;
