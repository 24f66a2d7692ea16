/**
 * What makes a job's calls faster than NCCL's defaults, by how much, and how to set it; start with
 * {@link dev.topo.advice.Adviser}.
 */
@NullMarked
package dev.topo.advice;

import org.jspecify.annotations.NullMarked;
