/** Advice as text, JSON and CSV. */
@NullMarked
package dev.topo.output.advice;

import org.jspecify.annotations.NullMarked;
