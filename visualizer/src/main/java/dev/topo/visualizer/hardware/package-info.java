/**
 * Results from a real machine, as text and JSON: runs in the form of nccl-tests, verifications, the
 * state of its software. Start with {@link dev.topo.visualizer.hardware.NcclTestsReport}.
 */
@NullMarked
package dev.topo.visualizer.hardware;

import org.jspecify.annotations.NullMarked;
