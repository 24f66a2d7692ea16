package dev.topo.cli.help;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The help of a command. The short one has the options of the command itself and those used most;
 * the whole one has all of them by topic. picocli's own layout breaks lines inside names of files
 * and has no short form.
 */
public final class HelpPage {
  /** The option of the whole help. */
  public static final String ALL = "--help-all";

  private static final Pattern PLACEHOLDER = Pattern.compile("<(.*)>");

  /** Where descriptions of commands begin. */
  private static final int COMMAND_COLUMN = 14;

  /** Examples of the short help. */
  private static final int FEW = 3;

  /** Where descriptions begin, unless the terminal is narrow. */
  private static final int COLUMN = 26;

  private static final int NARROW = 60;
  private static final int NARROW_COLUMN = 8;

  private final CommandSpec spec;
  private final int width;
  private int column;
  private final StringBuilder text = new StringBuilder();

  private HelpPage(CommandSpec spec, int width) {
    this.spec = spec;
    this.width = width;
    this.column = width < NARROW ? NARROW_COLUMN : COLUMN;
  }

  /**
   * The help of a command of topo.
   *
   * @param whole whether all options are in it
   * @param width of the lines, in characters
   */
  public static String of(CommandSpec spec, boolean whole, int width) {
    HelpPage page = new HelpPage(spec, width);
    page.head();
    spec.positionalParameters().forEach(page::positional);
    if (!spec.subcommands().isEmpty()) {
      page.commands("Commands", List.copyOf(spec.subcommands().keySet()));
    }
    if (whole) {
      page.topics();
    } else {
      page.options("Options", page.sorted(spec.options().stream().filter(OptionTopic::isMain)));
    }
    page.footer(whole ? Integer.MAX_VALUE : FEW);
    if (!whole) {
      page.more();
    }
    return page.text.toString();
  }

  /**
   * The help of topo itself.
   *
   * @param groups names of the subcommands, by the title of a group
   */
  public static String of(CommandSpec spec, Map<String, List<String>> groups, int width) {
    HelpPage page = new HelpPage(spec, width);
    page.head();
    int usual = page.column;
    page.column = COMMAND_COLUMN;
    groups.forEach(page::commands);
    page.column = usual;
    page.options("Options", page.sorted(spec.options().stream()));
    page.footer(FEW);
    return page.text.toString();
  }

  private void head() {
    String parameters =
        Stream.concat(
                spec.options().stream()
                    .filter(OptionSpec::required)
                    .map(option -> option.longestName() + label(option)),
                spec.positionalParameters().stream().map(HelpPage::placeholder))
            .collect(Collectors.joining(" "));
    String usage =
        parameters.isEmpty() ? spec.usageMessage().synopsisSubcommandLabel() : parameters;
    line("Usage: " + spec.qualifiedName() + " [OPTION]... " + usage);
    for (String paragraph : LineWrap.joined(spec.usageMessage().description())) {
      LineWrap.text(paragraph, width).forEach(this::line);
    }
  }

  private void positional(PositionalParamSpec parameter) {
    if (parameter == spec.positionalParameters().get(0)) {
      line("");
    }
    entry("  " + placeholder(parameter), parameter.description());
  }

  private void topics() {
    Map<OptionTopic, List<OptionSpec>> byTopic =
        spec.options().stream().collect(Collectors.groupingBy(OptionTopic::of));
    for (OptionTopic topic : OptionTopic.values()) {
      options(topic.title(), sorted(byTopic.getOrDefault(topic, List.of()).stream()));
    }
  }

  private List<OptionSpec> sorted(Stream<OptionSpec> options) {
    List<OptionSpec> shown = options.filter(option -> !option.hidden()).toList();
    return spec.usageMessage().sortOptions()
        ? shown.stream().sorted(Comparator.comparing(OptionSpec::longestName)).toList()
        : shown;
  }

  private void options(String title, List<OptionSpec> options) {
    if (options.isEmpty()) {
      return;
    }
    line("");
    line(title + ":");
    for (OptionSpec option : options) {
      String names =
          Arrays.stream(option.names())
              .sorted(Comparator.comparingInt(String::length))
              .collect(Collectors.joining(", "));
      String indent = names.startsWith("--") ? "      " : "  ";
      entry(indent + names + label(option), option.description());
    }
  }

  private void commands(String title, List<String> names) {
    line("");
    line(title + ":");
    for (String name : names) {
      CommandLine command = Objects.requireNonNull(spec.subcommands().get(name));
      entry("  " + name, new String[] {command.getCommandSpec().usageMessage().description()[0]});
    }
  }

  private void footer(int examples) {
    int left = examples;
    for (String paragraph : LineWrap.joined(spec.usageMessage().footer())) {
      if (!LineWrap.isExample(paragraph) || left-- > 0) {
        LineWrap.paragraph(paragraph, width).forEach(this::line);
      }
    }
  }

  /** The line that leads from the short help to the whole one. */
  private void more() {
    List<OptionSpec> left =
        spec.options().stream()
            .filter(option -> !OptionTopic.isMain(option) && !option.hidden())
            .toList();
    String names =
        left.stream().map(OptionSpec::longestName).sorted().collect(Collectors.joining(", "));
    line("");
    LineWrap.text(
            "%s %s shows %s more options: %s."
                .formatted(spec.qualifiedName(), ALL, left.size(), names),
            width)
        .forEach(this::line);
  }

  /** A name and what it means, beside it or, where it is long, below it. */
  private void entry(String name, String[] description) {
    List<String> lines = new ArrayList<>();
    for (String paragraph : LineWrap.joined(description)) {
      lines.addAll(LineWrap.text(paragraph, width - column));
    }
    boolean isBeside = name.length() + 2 <= column && !lines.isEmpty();
    line(isBeside ? name + " ".repeat(column - name.length()) + lines.get(0) : name);
    lines.stream().skip(isBeside ? 1 : 0).forEach(next -> line(" ".repeat(column) + next));
  }

  private void line(String line) {
    text.append(line.stripTrailing()).append('\n');
  }

  /** The value of an option, after a blank; empty for one that takes none. */
  private static String label(OptionSpec option) {
    if (option.arity().max() == 0) {
      return "";
    }
    String label = word(option);
    String split = option.splitRegexSynopsisLabel();
    boolean isList = option.arity().max() > 1;
    return " "
        + (split.isEmpty() ? label : label + "[" + split + label + "...]")
        + (isList ? "..." : "");
  }

  private static String placeholder(PositionalParamSpec parameter) {
    String label =
        word(parameter)
            + (parameter.arity().max() > 1 || parameter.index().max() > 1_000 ? "..." : "");
    return parameter.required() ? label : "[" + label + "]";
  }

  private static String word(ArgSpec argument) {
    return PLACEHOLDER
        .matcher(argument.paramLabel())
        .replaceAll(name -> name.group(1).toUpperCase(Locale.ROOT));
  }
}
