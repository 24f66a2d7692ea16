package dev.topo.inspect.lint;

/**
 * Attribute as found by NCCL's reader.
 *
 * @param name its name; empty if there are only blanks
 * @param value its value, as written
 * @param offset offset of the first byte of the name
 * @param valueOffset offset of the first byte of the value, after its quote
 * @param valueEnd offset after the value
 * @param kept whether NCCL has room for it
 */
record LintAttribute(
    String name, String value, int offset, int valueOffset, int valueEnd, boolean kept) {}
