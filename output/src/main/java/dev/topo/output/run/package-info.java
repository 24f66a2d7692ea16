/** What was found and measured on a machine: runs, verifications, the state of its software. */
@NullMarked
package dev.topo.output.run;

import org.jspecify.annotations.NullMarked;
