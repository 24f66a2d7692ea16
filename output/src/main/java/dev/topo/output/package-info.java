/**
 * Results as text for people and as data for programs, always the same bytes for the same question.
 * Start with {@link dev.topo.output.Answer} and {@link dev.topo.output.Json}; the packages below
 * have one subject each. Only these packages print results and use Jackson's generator.
 */
@NullMarked
package dev.topo.output;

import org.jspecify.annotations.NullMarked;
