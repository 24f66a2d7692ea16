/**
 * Writers for all answers: text, JSON documents with their envelope, CSV, and HTML built from
 * values so that no text can become markup; also the placement of caveats. The same answer always
 * gives the same bytes. Start with {@link dev.topo.visualizer.view.Answer} and {@link
 * dev.topo.visualizer.view.Fields}, which {@link dev.topo.visualizer.view.Json} turns into
 * documents and {@link dev.topo.visualizer.view.Csv} into tables; for HTML, with {@link
 * dev.topo.visualizer.view.Element}. Of the view packages, only this one knows Jackson.
 */
@NullMarked
package dev.topo.visualizer.view;

import org.jspecify.annotations.NullMarked;
