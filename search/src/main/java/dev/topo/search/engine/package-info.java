/**
 * The inside of the search: plain arrays, one attempt at a time. Start with {@link
 * dev.topo.search.engine.ChannelEngine}. Used by {@code dev.topo.search} only.
 */
@NullMarked
package dev.topo.search.engine;

import org.jspecify.annotations.NullMarked;
