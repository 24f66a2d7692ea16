/**
 * Texts for people: lines and tables of values, the same in every locale. Start with {@link
 * dev.topo.model.text.TextWriter}. Knows nothing of what is written.
 */
@NullMarked
package dev.topo.model.text;

import org.jspecify.annotations.NullMarked;
