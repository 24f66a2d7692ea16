/**
 * The writers of all answers: text, JSON documents with their envelope, CSV, HTML as values in
 * which no text can become markup, and the place of caveats. The same answer gives the same bytes.
 * Start with {@link dev.topo.visualizer.view.Answer} and {@link dev.topo.visualizer.view.Fields},
 * of which {@link dev.topo.visualizer.view.Json} makes documents and {@link
 * dev.topo.visualizer.view.Csv} tables; {@link dev.topo.visualizer.view.Element} for HTML. The only
 * package of the views that knows Jackson.
 */
@NullMarked
package dev.topo.visualizer.view;

import org.jspecify.annotations.NullMarked;
