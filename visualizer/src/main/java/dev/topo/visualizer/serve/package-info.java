/**
 * The page of {@code topo serve} and the server that gives it answers: HTTP on this host only, with
 * a token, bounds and cancellation; a question of the page as a record, and its answer from the
 * evaluator of the command. Start with {@link dev.topo.visualizer.serve.PageServer}, or with {@link
 * dev.topo.visualizer.serve.PageEvaluator} for what an answer consists of. The page computes
 * nothing itself; nothing here reads a file that a request names.
 */
@NullMarked
package dev.topo.visualizer.serve;

import org.jspecify.annotations.NullMarked;
