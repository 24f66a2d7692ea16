/**
 * Which plugins NCCL would load on a machine, without loading any. Start with {@link
 * dev.topo.probe.plugin.PluginFinder}. Knows nothing of what a plugin does once it runs.
 */
@NullMarked
package dev.topo.probe.plugin;

import org.jspecify.annotations.NullMarked;
