/** Choices of algorithms and protocols, predicted and measured times. */
@NullMarked
package dev.topo.output.timing;

import org.jspecify.annotations.NullMarked;
