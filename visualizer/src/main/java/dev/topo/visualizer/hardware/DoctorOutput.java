package dev.topo.visualizer.hardware;

import dev.topo.hw.library.Finding;
import dev.topo.hw.probe.DoctorReport;
import dev.topo.visualizer.view.Answer;
import java.util.List;

/** The NCCL library that would be loaded on a machine, and the findings, as text or JSON. */
public final class DoctorOutput {
  private DoctorOutput() {}

  /**
   * Returns the answer.
   *
   * @param format {@code text} or {@code json}
   * @param isVerbose whether the text has all details instead of those that fit on a screen
   * @param release the NCCL release whose rules the findings follow
   */
  public static Answer of(DoctorReport report, String format, boolean isVerbose, String release) {
    List<Finding> findings = report.findings();
    Answer answer =
        format.equals("json")
            ? DoctorJson.of(report, findings)
            : Answer.of(
                isVerbose
                    ? DoctorText.of(report, findings, release)
                    : DoctorOverview.of(report, findings));
    return answer.saying(DoctorSentence.of(report, findings));
  }
}
