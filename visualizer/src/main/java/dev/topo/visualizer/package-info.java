/**
 * Pictures of machines, jobs and what channels do on them, and charts. The parts: a machine and a
 * route become a drawing ({@code layout}), which becomes bytes ({@code svg}, {@code png}); {@code
 * dot} and {@code mermaid} leave the layout to others.
 */
@NullMarked
package dev.topo.visualizer;

import org.jspecify.annotations.NullMarked;
