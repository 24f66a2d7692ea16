/**
 * Work on several threads whose results do not depend on their number. Start with {@link
 * dev.topo.model.concurrent.OrderedWork}; knows nothing of what is computed.
 */
@NullMarked
package dev.topo.model.concurrent;

import org.jspecify.annotations.NullMarked;
