/**
 * The file system of a machine, or of one whose files are in a folder. Start with {@link
 * dev.topo.probe.files.FileTree}. Knows nothing of what is in the files.
 */
@NullMarked
package dev.topo.probe.files;

import org.jspecify.annotations.NullMarked;
