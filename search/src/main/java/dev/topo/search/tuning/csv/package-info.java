/**
 * Choices as a file for NCCL's example tuner plugin. Start with {@link
 * dev.topo.search.tuning.csv.TunerCsv}. Reference: {@code nccl:ext-tuner/example/plugin.c}.
 */
@NullMarked
package dev.topo.search.tuning.csv;

import org.jspecify.annotations.NullMarked;
