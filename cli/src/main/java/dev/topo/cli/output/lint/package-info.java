/** Findings about files. Start with {@link dev.topo.cli.output.lint.LintText}. */
@NullMarked
package dev.topo.cli.output.lint;

import org.jspecify.annotations.NullMarked;
