package dev.topo.cli;

import dev.topo.cli.option.OutputOptions.Format;
import dev.topo.model.io.Inputs.Invocation;
import dev.topo.visualizer.report.WorkloadPage;
import dev.topo.visualizer.report.WorkloadSubject;
import dev.topo.visualizer.study.WorkloadChanges;
import dev.topo.visualizer.study.WorkloadFields;
import dev.topo.visualizer.study.WorkloadSentence;
import dev.topo.visualizer.study.WorkloadText;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.JobSummary;

/** Output formats of answers about a traced job. */
enum WorkloadFormat implements Format {
  text,
  json,
  csv,
  html;

  /** True if the format can show advice. */
  boolean hasAdvice() {
    return this == text || this == json;
  }

  /**
   * Formats the answer.
   *
   * @param subject the job and its calls
   * @param summary the size of the job
   * @param changes the effects of changes on the job
   * @param isVerbose whether text output is complete
   */
  Answer of(
      WorkloadSubject subject,
      JobSummary summary,
      WorkloadChanges changes,
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
              .saying(WorkloadSentence.of(subject.comparison(), changes));
      case json ->
          WorkloadFields.json(summary, subject.comparison(), changes, subject.memory())
              .saying(WorkloadSentence.of(subject.comparison(), changes));
      case csv -> WorkloadFields.csv(subject.comparison(), changes.change());
      case html ->
          Answer.of(
              WorkloadPage.of(
                  subject, WorkloadSentence.of(subject.comparison(), changes), invocation));
    };
  }
}
