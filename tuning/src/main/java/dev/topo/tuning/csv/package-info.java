/**
 * Choices as a file for NCCL's example tuner plugin. Start with {@link
 * dev.topo.tuning.csv.TunerCsv}. Reference: {@code nccl:ext-tuner/example/plugin.c}.
 */
@NullMarked
package dev.topo.tuning.csv;

import org.jspecify.annotations.NullMarked;
