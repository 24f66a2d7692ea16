/**
 * Fails each step of the command in turn: files that cannot be read or written, interrupts, signals
 * and too little memory. {@link dev.topo.fault.FaultTest} starts processes whose default file
 * system is a {@link dev.topo.fault.FaultFileSystem}; in them {@link dev.topo.fault.FaultRun} calls
 * the command again and again.
 */
@org.jspecify.annotations.NullMarked
package dev.topo.fault;
