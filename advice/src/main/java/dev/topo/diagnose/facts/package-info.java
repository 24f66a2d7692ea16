/**
 * What the texts of a run state: lines of NCCL's log, of nccl-tests and of command lines; begin
 * with {@link dev.topo.diagnose.facts.RunFacts}.
 */
@NullMarked
package dev.topo.diagnose.facts;

import org.jspecify.annotations.NullMarked;
