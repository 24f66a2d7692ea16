/**
 * What a communicator is made of: machines with their settings, in rank order. Start with {@link
 * dev.topo.model.job.Job}. Values only; how NCCL splits machines into nodes and connects them is in
 * {@code dev.topo.search.connect}.
 */
@NullMarked
package dev.topo.model.job;

import org.jspecify.annotations.NullMarked;
