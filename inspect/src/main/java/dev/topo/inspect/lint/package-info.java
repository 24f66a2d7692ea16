/**
 * Problems of NCCL's topology, graph and configuration files: what NCCL would do with each,
 * silently or not, and how to fix it. Start with {@link dev.topo.inspect.lint.Linter}; {@link
 * dev.topo.inspect.lint.LintRule} is the catalogue, {@link dev.topo.inspect.lint.LintFinding} one
 * of its rules at a place in a file. {@link dev.topo.inspect.lint.NcclXmlReader} reads text as NCCL
 * does, which accepts not quite XML. Knows nothing of channels and prints nothing. References:
 * {@code nccl:src/graph/xml.cc}, {@code nccl:src/graph/topo.cc}.
 */
@NullMarked
package dev.topo.inspect.lint;

import org.jspecify.annotations.NullMarked;
