/** Machines and jobs as Mermaid flowcharts for documents in Markdown. */
@NullMarked
package dev.topo.visualizer.mermaid;

import org.jspecify.annotations.NullMarked;
