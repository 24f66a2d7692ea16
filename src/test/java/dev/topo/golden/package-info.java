/**
 * Frozen answers: every command in every format, errors and help. Start with {@link
 * dev.topo.golden.GoldenTest}; {@code src/test/resources/golden} has the calls and their answers.
 */
@NullMarked
package dev.topo.golden;

import org.jspecify.annotations.NullMarked;
