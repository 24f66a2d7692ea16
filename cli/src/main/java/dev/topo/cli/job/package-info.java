/**
 * What the commands that answer for a job of machines share beyond their options: how this host is
 * looked at, the graphs that are stated for a job, its measurements, what it lacks, and what its
 * machines are called.
 */
@NullMarked
package dev.topo.cli.job;

import org.jspecify.annotations.NullMarked;
