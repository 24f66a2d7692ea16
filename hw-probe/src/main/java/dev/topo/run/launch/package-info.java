/**
 * The process number and the rendezvous address of a run, from the variables that its launcher
 * sets. Start with {@link dev.topo.run.launch.LauncherReader}.
 */
@NullMarked
package dev.topo.run.launch;

import org.jspecify.annotations.NullMarked;
