package dev.topo.simulator.diagnosis;

import dev.topo.model.io.SpecText;
import java.util.List;

/**
 * The causes of some measurements.
 *
 * @param verdict whether they are as they should be
 * @param summary why, in a sentence
 * @param basis what the diagnosis rests on: the machine, assumptions, files
 * @param causes possible causes, the most likely first; none if all is as expected
 */
public record Diagnosis(Health verdict, String summary, List<SpecText> basis, List<Cause> causes) {
  public Diagnosis {
    basis = List.copyOf(basis);
    causes = List.copyOf(causes);
  }
}
