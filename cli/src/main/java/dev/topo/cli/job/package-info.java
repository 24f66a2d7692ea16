/**
 * Shared by the commands about a job of machines, beyond their options: probing this host and
 * reading measurements.
 */
@NullMarked
package dev.topo.cli.job;

import org.jspecify.annotations.NullMarked;
