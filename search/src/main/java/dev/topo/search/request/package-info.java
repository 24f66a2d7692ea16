/**
 * What a search for channels is given and what it returns: request, constraints, budget, monitor
 * and outcome. Values and interfaces only; start with {@link dev.topo.search.request.GraphRequest}.
 */
@NullMarked
package dev.topo.search.request;

import org.jspecify.annotations.NullMarked;
