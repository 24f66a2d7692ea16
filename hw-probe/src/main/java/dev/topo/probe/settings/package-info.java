/**
 * The settings that NCCL would take on a machine: from the environment and from its configuration
 * files, with the origin and the problems of each. Start with {@link
 * dev.topo.probe.settings.SettingSources}. Reads no environment variable of this process.
 */
@NullMarked
package dev.topo.probe.settings;

import org.jspecify.annotations.NullMarked;
