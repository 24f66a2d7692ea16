package dev.topo.cli.help;

import dev.topo.model.io.ResourceTable;
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
 * The help of a command. The short form contains the main options of the command; the full form
 * contains all options, grouped by topic. picocli's own layout breaks lines inside file names and
 * has no short form.
 */
public final class HelpPage {
  /** The option for the full help. */
  public static final String ALL = "--help-all";

  private static final Pattern PLACEHOLDER = Pattern.compile("<(.*)>");

  /** Column of the descriptions of commands. */
  private static final int COMMAND_COLUMN = 14;

  /** Number of examples in the short help. */
  private static final int SHORT_HELP_EXAMPLES = 3;

  /** Column of the descriptions of options, unless the terminal is narrow. */
  private static final int COLUMN = 26;

  private static final int NARROW_WIDTH = 60;
  private static final int NARROW_COLUMN = 8;

  private final CommandSpec spec;
  private final int width;
  private int column;
  private final StringBuilder text = new StringBuilder();

  private HelpPage(CommandSpec spec, int width) {
    this.spec = spec;
    this.width = width;
    this.column = width < NARROW_WIDTH ? NARROW_COLUMN : COLUMN;
  }

  /**
   * The help of a subcommand.
   *
   * @param isFull whether it contains all options
   * @param width maximum length of lines, in characters
   */
  public static String of(CommandSpec spec, boolean isFull, int width) {
    HelpPage page = new HelpPage(spec, width);
    page.head();
    spec.positionalParameters().forEach(page::positional);
    if (!spec.subcommands().isEmpty()) {
      page.commands("Commands", List.copyOf(spec.subcommands().keySet()));
    }
    if (isFull) {
      page.topics();
    } else {
      page.options("Options", page.sorted(spec.options().stream().filter(OptionTopic::isMain)));
    }
    page.footer(isFull ? Integer.MAX_VALUE : SHORT_HELP_EXAMPLES);
    if (!isFull) {
      page.more();
    }
    return page.text.toString();
  }

  /**
   * The help of topo itself.
   *
   * @param groups names of the subcommands by the title of their group
   */
  public static String of(CommandSpec spec, Map<String, List<String>> groups, int width) {
    HelpPage page = new HelpPage(spec, width);
    page.head();
    int optionColumn = page.column;
    page.column = COMMAND_COLUMN;
    groups.forEach(page::commands);
    page.column = optionColumn;
    page.options("Options", page.sorted(spec.options().stream()));
    page.footer(SHORT_HELP_EXAMPLES);
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

  /**
   * The notes and examples at the end of a command's help, as lines: a resource beside this class.
   */
  public static String[] notes(CommandSpec command) {
    String file = command.qualifiedName("-") + ".txt";
    return ResourceTable.text(HelpPage.class, file).lines().toArray(String[]::new);
  }

  private void footer(int examples) {
    line("");
    int remaining = examples;
    for (String paragraph : LineWrap.joined(notes(spec))) {
      if (!LineWrap.isExample(paragraph) || remaining-- > 0) {
        LineWrap.paragraph(paragraph, width).forEach(this::line);
      }
    }
  }

  /** Adds the sentence in the short help that refers to the full help. */
  private void more() {
    List<OptionSpec> omitted =
        spec.options().stream()
            .filter(option -> !OptionTopic.isMain(option) && !option.hidden())
            .toList();
    String names =
        omitted.stream().map(OptionSpec::longestName).sorted().collect(Collectors.joining(", "));
    line("");
    LineWrap.text(
            "%s %s shows %s more options: %s."
                .formatted(spec.qualifiedName(), ALL, omitted.size(), names),
            width)
        .forEach(this::line);
  }

  /**
   * Adds a name and its description, which begins on the same line if the name is short enough,
   * else on the next line.
   */
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

  /** The label of an option's value, after a blank; empty if the option takes none. */
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
