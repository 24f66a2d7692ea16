/**
 * A machine in a file: what the probe read, packed so that others can replay it, without what would
 * name the machine or its owner. Start with {@link dev.topo.probe.capture.CaptureWriter}.
 */
@NullMarked
package dev.topo.probe.capture;

import org.jspecify.annotations.NullMarked;
