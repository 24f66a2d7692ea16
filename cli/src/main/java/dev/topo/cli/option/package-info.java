/**
 * The options that commands share, as picocli mixins that also read the files they name: the job,
 * calls, settings, calibrations, real runs, output. Start with {@link
 * dev.topo.cli.option.JobOptions} and {@link dev.topo.cli.option.OutputOptions}. Does not depend on
 * any command.
 */
@NullMarked
package dev.topo.cli.option;

import org.jspecify.annotations.NullMarked;
