/**
 * What the answers for a job do not model although it matters for that job, and what to do about
 * it. Start with {@link dev.topo.inspect.caveat.CaveatFinder}.
 */
@NullMarked
package dev.topo.inspect.caveat;

import org.jspecify.annotations.NullMarked;
