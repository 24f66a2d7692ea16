package dev.topo.cli.option;

import dev.topo.model.job.SettingException;
import dev.topo.visualizer.view.Answer;
import picocli.CommandLine.Option;

/** The option for the answer in one sentence, of commands whose answers say one. */
public final class BriefOption {
  @Option(
      names = {"-q", "--quiet"},
      description = "Print the answer in one sentence only.")
  private boolean quiet;

  /**
   * The sentence of an answer, if the user wants nothing else.
   *
   * @throws SettingException if the format has no place for a sentence alone
   */
  public Answer applyTo(Answer answer, String format) {
    if (!quiet) {
      return answer;
    }
    if (!format.equals("text")) {
      throw new SettingException("--quiet prints a sentence, expected --format text");
    }
    return answer.inBrief();
  }
}
