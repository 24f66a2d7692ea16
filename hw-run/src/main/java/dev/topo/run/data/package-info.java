/**
 * What the buffers of a collective hold before it, and what they must hold after it, as computed on
 * the host. Start with {@link dev.topo.run.data.ContentPlan}. Knows nothing of GPUs.
 */
@NullMarked
package dev.topo.run.data;

import org.jspecify.annotations.NullMarked;
