/**
 * Reads Protocol Buffers' wire format: messages with their lengths before them, and the fields of a
 * message by number. Start with {@link dev.topo.workload.protobuf.MessageReader}. Knows no schema.
 */
@NullMarked
package dev.topo.workload.protobuf;

import org.jspecify.annotations.NullMarked;
