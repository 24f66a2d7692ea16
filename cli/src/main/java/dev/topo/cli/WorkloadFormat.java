package dev.topo.cli;

import dev.topo.cli.option.OutputOptions.Format;
import dev.topo.model.io.Inputs.Invocation;
import dev.topo.visualizer.report.WorkloadPage;
import dev.topo.visualizer.report.WorkloadSubject;
import dev.topo.visualizer.study.Changes;
import dev.topo.visualizer.study.WorkloadData;
import dev.topo.visualizer.study.WorkloadHeadline;
import dev.topo.visualizer.study.WorkloadText;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.JobSummary;

/** The formats of an answer about a traced job. */
enum WorkloadFormat implements Format {
  text,
  json,
  csv,
  html;

  /** True if it has a place for advice. */
  boolean hasAdvice() {
    return this == text || this == json;
  }

  /**
   * The answer.
   *
   * @param subject the job and its calls
   * @param summary the size of the job
   * @param changes what changes would do to it
   * @param isVerbose whether a text shows everything
   */
  Answer of(
      WorkloadSubject subject,
      JobSummary summary,
      Changes changes,
      boolean isVerbose,
      Invocation invocation) {
    return switch (this) {
      case text ->
          WorkloadText.of(
                  summary.machines(),
                  subject.place(),
                  subject.comparison(),
                  changes,
                  subject.memory(),
                  isVerbose)
              .saying(WorkloadHeadline.of(subject.comparison(), changes));
      case json ->
          WorkloadData.json(summary, subject.comparison(), changes, subject.memory())
              .saying(WorkloadHeadline.of(subject.comparison(), changes));
      case csv -> WorkloadData.csv(subject.comparison(), changes.change());
      case html ->
          Answer.of(
              WorkloadPage.of(
                  subject, WorkloadHeadline.of(subject.comparison(), changes), invocation));
    };
  }
}
