/**
 * Which process of a run this one is, as the launcher that started it says in the environment, and
 * where the processes meet. Start with {@link dev.topo.run.launch.LauncherReader}.
 */
@NullMarked
package dev.topo.run.launch;

import org.jspecify.annotations.NullMarked;
