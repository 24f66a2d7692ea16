/**
 * Options that commands share, as picocli mixins, with their values and what they read: the job,
 * calls, settings, calibrations, real runs, output. Start with {@link
 * dev.topo.cli.option.JobOptions} and {@link dev.topo.cli.option.OutputOptions}. Knows no command.
 */
@NullMarked
package dev.topo.cli.option;

import org.jspecify.annotations.NullMarked;
