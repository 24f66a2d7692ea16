/**
 * What the dynamic section, the symbols and the read-only data of an ELF file say, without loading
 * it. Start with {@link dev.topo.probe.elf.ElfReader}. Reads 64-bit little-endian files as the
 * System V ABI ("gabi", chapters 4 and 5) has them; of others it says only what they are. Knows
 * nothing of where libraries are looked for.
 */
@NullMarked
package dev.topo.probe.elf;

import org.jspecify.annotations.NullMarked;
