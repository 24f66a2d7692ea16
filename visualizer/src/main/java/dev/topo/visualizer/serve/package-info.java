/**
 * The page of {@code topo serve} and its server: HTTP on this host only, with a token, limits and
 * cancellation. A question of the page is a record, and its answer comes from the evaluator that
 * the commands use. Start with {@link dev.topo.visualizer.serve.PageServer}, or with {@link
 * dev.topo.visualizer.serve.PageEvaluator} for what an answer consists of. The page itself computes
 * nothing, and nothing here reads a file named by a request.
 */
@NullMarked
package dev.topo.visualizer.serve;

import org.jspecify.annotations.NullMarked;
