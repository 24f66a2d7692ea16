/** Findings about files. Start with {@link dev.topo.inspect.lint.finding.LintText}. */
@NullMarked
package dev.topo.output.lint;

import org.jspecify.annotations.NullMarked;
