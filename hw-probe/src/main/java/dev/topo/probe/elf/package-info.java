/**
 * The dynamic section, the symbols and the read-only data of an ELF file, read without loading it.
 * Start with {@link dev.topo.probe.elf.ElfReader}. Reads 64-bit little-endian files as the System V
 * ABI ("gabi", chapters 4 and 5) defines them; of others only the machine. Does not search for
 * libraries.
 */
@NullMarked
package dev.topo.probe.elf;

import org.jspecify.annotations.NullMarked;
