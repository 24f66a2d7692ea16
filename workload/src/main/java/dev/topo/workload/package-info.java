/** A training job's communicators and calls, as its traces tell them. */
@NullMarked
package dev.topo.workload;

import org.jspecify.annotations.NullMarked;
