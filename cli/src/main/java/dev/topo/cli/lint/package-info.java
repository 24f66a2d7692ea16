/**
 * What {@code topo lint} prints: findings as text, JSON, SARIF and annotations, the catalogue of
 * rules, changes line by line, and what a finding costs. Start with {@link
 * dev.topo.cli.lint.LintedFile}.
 */
@NullMarked
package dev.topo.cli.lint;

import org.jspecify.annotations.NullMarked;
