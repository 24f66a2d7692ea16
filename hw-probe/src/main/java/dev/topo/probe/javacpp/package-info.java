/**
 * The only package that touches native NVIDIA libraries, through the JavaCPP presets. Start with
 * {@link dev.topo.probe.javacpp.JavacppNvmlScope}. A thin shell: it queries and copies, and decides
 * nothing.
 */
@NullMarked
package dev.topo.probe.javacpp;

import org.jspecify.annotations.NullMarked;
