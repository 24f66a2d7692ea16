/**
 * Results from a real machine as text and JSON: runs in the format of nccl-tests, verifications,
 * and the state of the installed software. Start with {@link
 * dev.topo.visualizer.hardware.NcclTestsReport}.
 */
@NullMarked
package dev.topo.visualizer.hardware;

import org.jspecify.annotations.NullMarked;
