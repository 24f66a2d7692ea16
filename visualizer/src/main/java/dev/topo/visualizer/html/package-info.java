/**
 * HTML as values, written so that no text can become markup. Start with {@link
 * dev.topo.visualizer.html.Element}. Independent of machines.
 */
@NullMarked
package dev.topo.visualizer.html;

import org.jspecify.annotations.NullMarked;
