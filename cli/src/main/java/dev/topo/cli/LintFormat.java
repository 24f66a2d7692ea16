package dev.topo.cli;

import dev.topo.cli.option.OutputOptions.Format;
import dev.topo.inspect.lint.LintGithub;
import dev.topo.inspect.lint.LintText;
import dev.topo.inspect.lint.LintedFile;
import dev.topo.inspect.lint.RuleCatalogue;
import dev.topo.model.job.SettingException;
import dev.topo.visualizer.study.LintOutput;
import dev.topo.visualizer.study.LintSarif;
import dev.topo.visualizer.view.Answer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Output formats for findings and for the list of rules. */
enum LintFormat implements Format {
  text,
  json,
  sarif,
  github,
  csv;

  @Override
  public List<String> endings() {
    return switch (this) {
      case text, json, csv -> List.of(extension());
      case sarif -> List.of(".sarif", ".sarif.json");
      case github -> List.of();
    };
  }

  /**
   * The list of all rules in this format.
   *
   * @throws SettingException if the format is for findings only
   */
  Answer rules() {
    return switch (this) {
      case csv -> LintOutput.csvOfRules();
      case json -> LintOutput.ofRules();
      case text -> Answer.of(RuleCatalogue.text());
      case sarif, github ->
          throw new SettingException("--list-rules: expected --format text, csv or json");
    };
  }

  /**
   * The findings in this format.
   *
   * @param colours whether text contains colours
   */
  Answer answer(List<LintedFile> linted, boolean colours) {
    return switch (this) {
      case text -> {
        String text = LintText.of(linted, colours, " (applied by --fix)");
        // Escape sequences would not survive the filter for plain text.
        yield colours ? Answer.ofBytes(text.getBytes(StandardCharsets.UTF_8)) : Answer.of(text);
      }
      case json -> LintOutput.of(linted);
      case sarif -> LintSarif.of(linted);
      case github, csv -> Answer.of(LintGithub.of(linted));
    };
  }
}
