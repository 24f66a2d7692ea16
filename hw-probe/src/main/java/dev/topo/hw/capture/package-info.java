/**
 * A captured machine: the files that the probe reads, packed for replay without anything that
 * identifies the machine or its owner. Start with {@link dev.topo.hw.capture.CaptureWriter}.
 */
@NullMarked
package dev.topo.hw.capture;

import org.jspecify.annotations.NullMarked;
