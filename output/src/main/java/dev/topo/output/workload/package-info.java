/** The communication of a job beside what the model expects, as text, JSON and CSV. */
@NullMarked
package dev.topo.output.workload;

import org.jspecify.annotations.NullMarked;
