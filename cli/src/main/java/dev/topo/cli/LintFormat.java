package dev.topo.cli;

import dev.topo.cli.option.OutputOptions.Format;
import dev.topo.inspect.lint.LintGithub;
import dev.topo.inspect.lint.LintText;
import dev.topo.inspect.lint.LintedFile;
import dev.topo.inspect.lint.RuleCatalogue;
import dev.topo.model.job.SettingException;
import dev.topo.visualizer.study.LintJson;
import dev.topo.visualizer.study.LintSarif;
import dev.topo.visualizer.view.Answer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The formats of findings and of rules. */
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
   * The list of all rules.
   *
   * @throws SettingException if the format is for findings only
   */
  Answer rules() {
    return switch (this) {
      case csv -> LintJson.csvOfRules();
      case json -> LintJson.ofRules();
      case text -> Answer.of(RuleCatalogue.text());
      case sarif, github ->
          throw new SettingException("--list-rules: expected --format text, csv or json");
    };
  }

  /** The findings, as text perhaps in colours. */
  Answer answer(List<LintedFile> linted, boolean colours) {
    return switch (this) {
      case text -> {
        String text = LintText.of(linted, colours, " (applied by --fix)");
        // The colours are no plain text.
        yield colours ? Answer.ofBytes(text.getBytes(StandardCharsets.UTF_8)) : Answer.of(text);
      }
      case json -> LintJson.of(linted);
      case sarif -> LintSarif.of(linted);
      case github, csv -> Answer.of(LintGithub.of(linted));
    };
  }
}
