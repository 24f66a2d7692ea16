/** Diagnoses as text, JSON and CSV; begin with {@link dev.topo.output.diagnose.DiagnosisText}. */
@NullMarked
package dev.topo.output.diagnose;

import org.jspecify.annotations.NullMarked;
