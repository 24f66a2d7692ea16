/**
 * The nodes of a topology, one record for each kind. Start with {@link dev.topo.model.node.Node}.
 * Nodes know nothing of links.
 */
@NullMarked
package dev.topo.model.node;

import org.jspecify.annotations.NullMarked;
