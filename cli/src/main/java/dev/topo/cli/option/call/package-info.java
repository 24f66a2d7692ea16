/**
 * Options for calls: collectives, sizes, algorithms, protocols, and measurements of them. Start
 * with {@link dev.topo.cli.option.call.CallOptions}. Knows nothing of how a real run is launched.
 */
@NullMarked
package dev.topo.cli.option.call;

import org.jspecify.annotations.NullMarked;
