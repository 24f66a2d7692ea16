package dev.topo.visualizer.hardware;

import dev.topo.hw.library.Finding;
import dev.topo.hw.probe.DoctorReport;
import dev.topo.visualizer.view.Answer;
import java.util.List;

/** The library that would be loaded on a machine, and the errors, as text or JSON. */
public final class DoctorOutput {
  private DoctorOutput() {}

  /**
   * The answer.
   *
   * @param format {@code text} or {@code json}
   * @param isVerbose whether a text has all details, not only those that fit a screen
   * @param release the release of NCCL that findings are compared with
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
