/**
 * What changes for a job with another release of NCCL: channels, graphs, choices and times under
 * the rules of two releases, and the same for the machines of a fleet. Start with {@link
 * dev.topo.compare.upgrade.Upgrade}. Knows no options and no output formats.
 */
@NullMarked
package dev.topo.compare.upgrade;

import org.jspecify.annotations.NullMarked;
