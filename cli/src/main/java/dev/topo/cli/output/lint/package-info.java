/** Findings about files. Start with {@link dev.topo.inspect.lint.finding.LintText}. */
@NullMarked
package dev.topo.cli.output.lint;

import org.jspecify.annotations.NullMarked;
