/**
 * What lint can find in a file and what it found. Start with {@link
 * dev.topo.inspect.lint.finding.LintRule}, the catalogue; {@link
 * dev.topo.inspect.lint.finding.LintFinding} is one of them at a place in a file. Knows nothing of
 * how files are read.
 */
@NullMarked
package dev.topo.inspect.lint.finding;

import org.jspecify.annotations.NullMarked;
