/**
 * The settings that NCCL would take on a machine: from the environment and from its configuration
 * files, with where each comes from and what is wrong with it. Start with {@link
 * dev.topo.probe.settings.SettingSources}. Reads no environment variable of this process.
 */
@NullMarked
package dev.topo.probe.settings;

import org.jspecify.annotations.NullMarked;
