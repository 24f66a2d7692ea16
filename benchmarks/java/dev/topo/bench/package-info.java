/** How fast it is: JMH benchmarks whose figures stand in docs/performance.md. */
@NullMarked
package dev.topo.bench;

import org.jspecify.annotations.NullMarked;
