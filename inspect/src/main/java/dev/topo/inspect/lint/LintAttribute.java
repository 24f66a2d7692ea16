package dev.topo.inspect.lint;

/**
 * An attribute as NCCL's reader found it.
 *
 * @param name its name; empty where blanks stand for one
 * @param value its value, as it is written
 * @param offset first byte of the name
 * @param valueOffset first byte of the value, without its quote
 * @param valueEnd byte behind the value
 * @param kept whether NCCL has room for it
 */
record LintAttribute(
    String name, String value, int offset, int valueOffset, int valueEnd, boolean kept) {}
