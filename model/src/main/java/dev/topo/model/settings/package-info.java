/**
 * NCCL's environment variables as values: which names exist, what they default to, and a checked
 * set of them for one question. Start with {@link dev.topo.model.settings.NcclSettings}. Nothing
 * here reads the environment of the process.
 */
@NullMarked
package dev.topo.model.settings;

import org.jspecify.annotations.NullMarked;
