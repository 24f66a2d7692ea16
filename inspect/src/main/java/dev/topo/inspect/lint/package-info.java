/**
 * Problems of NCCL's topology, graph and configuration files: NCCL's reaction to each, silent or
 * not, and the fix. Start with {@link dev.topo.inspect.lint.Linter}; {@link
 * dev.topo.inspect.lint.LintRule} is the catalogue, {@link dev.topo.inspect.lint.LintFinding} the
 * finding of a rule at a place in a file. {@link dev.topo.inspect.lint.NcclXmlReader} reads text as
 * NCCL does, which differs from XML. Independent of channels; prints nothing. References: {@code
 * nccl:src/graph/xml.cc}, {@code nccl:src/graph/topo.cc}.
 */
@NullMarked
package dev.topo.inspect.lint;

import org.jspecify.annotations.NullMarked;
