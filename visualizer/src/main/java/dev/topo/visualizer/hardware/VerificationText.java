package dev.topo.visualizer.hardware;

import dev.topo.hw.verify.Verification;
import dev.topo.visualizer.view.Answer;
import java.util.List;

/** Writes a verification as text: what agrees with NCCL, then the measurements. */
public final class VerificationText {
  private VerificationText() {}

  /**
   * Returns the text.
   *
   * @param isVerbose whether to list what agrees as well
   */
  public static Answer of(Verification verification, boolean isVerbose) {
    String results =
        verification.wrongResults() == 0
            ? "  all results are correct\n"
            : "  ! " + verification.wrongResults() + " results are wrong, see topo run\n";
    return Answer.join(
        List.of(
            LogComparisonText.of("NCCL on this machine", verification.comparison(), isVerbose),
            Answer.of(results),
            SizeSweepText.of(verification.choices())),
        "");
  }
}
