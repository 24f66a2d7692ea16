/** What makes a job's calls faster than NCCL's defaults, by how much, and how to set it. */
@NullMarked
package dev.topo.advice;

import org.jspecify.annotations.NullMarked;
