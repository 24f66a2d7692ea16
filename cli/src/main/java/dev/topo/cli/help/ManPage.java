package dev.topo.cli.help;

import dev.topo.model.QuantityFormat;
import dev.topo.visualizer.view.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The man page of a command, in roff with the macros of man(7). It contains the text of {@code
 * --help} and what all commands share: exit statuses, environment variables, JSON schemas. The same
 * command gives the same bytes.
 */
public final class ManPage {
  /**
   * The schemas of docs/schema by the command that writes them; those that any command may write
   * are under "topo".
   */
  private static final Map<String, List<String>> SCHEMAS =
      schemas(
          "advise calibrate calibrate-times check connect diagnose diagnose-pairs diff diff-fleet doctor explain"
              + " guest lint lint-rules machines memory paths place predict predict-against predict-floor predict-scaling search"
              + " show sweep sweep-diff sweep-folder sweep-plan sweep-spec tune upgrade upgrade-fleet verify whatif whatif-placements workload");

  /** Exit statuses and their meanings. Scripts depend on them. */
  private static final List<String> STATUSES =
      List.of(
          "0 Done.",
          "1 A check failed, differences were found, or nothing was found.",
          "2 Usage: an option or a value is wrong, or an output file cannot be written.",
          "3 Bad input. The message names file, line, column, element, value and what was expected.",
          "4 Hardware, a library, memory or disk space is missing.",
          "5 Of topo check: results of a run are wrong.",
          "6 Of topo check: a run cannot be judged.",
          "70 A bug in topo.");

  private static final List<String> VARIABLES =
      List.of(
          "TOPO_JAVA_OPTS Options for the Java virtual machine, separated by blanks, such as -Xmx8g.",
          "NO_COLOR If it is not empty, nothing is coloured. Colours are used on terminals only.");

  private final CommandSpec command;
  private final String version;
  private final StringBuilder page = new StringBuilder();

  private ManPage(CommandSpec command, String version) {
    this.command = command;
    this.version = version;
  }

  /** The names of all schemas, sorted. */
  static List<String> schemas() {
    return SCHEMAS.values().stream().flatMap(List::stream).sorted().toList();
  }

  private static Map<String, List<String>> schemas(String names) {
    Map<String, List<String>> byCommand =
        new TreeMap<>(
            Map.of(
                "topo",
                List.of("versions", "networks", "split"),
                "run",
                List.of("replay"),
                "calibrate",
                new ArrayList<>(List.of("constants"))));
    for (String name : names.split(" ")) {
      byCommand.computeIfAbsent(name.split("-")[0], key -> new ArrayList<>()).add(name);
    }
    return byCommand;
  }

  /**
   * The page of a command.
   *
   * @param version version of topo
   */
  public static String of(CommandLine command, String version) {
    return new ManPage(command.getCommandSpec(), version).write();
  }

  /** The name of the page: {@code topo-predict} for {@code topo predict}. */
  public static String name(CommandLine command) {
    return command.getCommandSpec().qualifiedName("-");
  }

  private String write() {
    String name = command.qualifiedName("-");
    String title = text(name.toUpperCase(Locale.ROOT));
    line(".TH \"" + title + "\" \"1\" \"\" \"topo " + version + "\" \"topo\"");
    line(".nh");
    line(".ad l");
    section("NAME");
    line(text(name) + " \\- " + text(decapitalized(Argument.summary(command))));
    section("SYNOPSIS");
    synopsis();
    section("DESCRIPTION");
    paragraph(Argument.description(command));
    notes().forEach(this::paragraph);
    arguments("ARGUMENTS", Argument.parameters(command));
    arguments("OPTIONS", Argument.options(command));
    commands();
    entries("EXIT STATUS", STATUSES);
    json();
    entries("ENVIRONMENT", VARIABLES);
    paragraph(
        "There is no configuration file, and no variable gives an option another default. Settings of NCCL"
            + " in the environment are used only where the text of an option says so, as that of"
            + " --env-from-process.");
    examples();
    seeAlso();
    return page.toString();
  }

  private void synopsis() {
    StringBuilder words = new StringBuilder(bold(command.qualifiedName()) + " [\\fIOPTION\\fR]...");
    for (Argument parameter : Argument.parameters(command)) {
      words.append(" [").append(italic(parameter.value())).append("]");
      words.append(parameter.isRepeatable() ? "..." : "");
    }
    boolean hasCommands = !command.subcommands().isEmpty();
    line(words + (hasCommands ? " \\fICOMMAND\\fR [\\fIARGUMENT\\fR]..." : ""));
  }

  /**
   * The paragraphs of the footer except examples and the exit status, which has a section of its
   * own.
   */
  private List<String> notes() {
    List<String> notes = new ArrayList<>();
    boolean continuesNote = false;
    for (String footer : HelpPage.notes(command)) {
      String words = Argument.plain(footer).strip();
      boolean isNote =
          !words.isEmpty() && !LineWrap.isExample(words) && !words.startsWith("Exit status: ");
      if (isNote && continuesNote) {
        notes.add(notes.remove(notes.size() - 1) + " " + words);
      } else if (isNote) {
        notes.add(words);
      }
      continuesNote = isNote;
    }
    return notes;
  }

  private void arguments(String title, List<Argument> arguments) {
    if (arguments.isEmpty()) {
      return;
    }
    section(title);
    for (Argument argument : arguments) {
      List<String> paragraphs = argument.description().stream().map(ManPage::text).toList();
      entry(head(argument), String.join("\n.br\n", paragraphs));
    }
  }

  private static String head(Argument argument) {
    String value = italic(argument.value());
    if (argument.names().isEmpty()) {
      return value;
    }
    String names = QuantityFormat.joined(", ", argument.names(), ManPage::bold);
    return names + (argument.value().isEmpty() ? "" : "=" + value);
  }

  private void commands() {
    if (command.subcommands().isEmpty()) {
      return;
    }
    section("COMMANDS");
    command
        .subcommands()
        .forEach(
            (name, line) ->
                entry(
                    "\\fBtopo\\-" + text(name) + "\\fR(1)",
                    text(Argument.summary(line.getCommandSpec())) + "."));
  }

  private void entries(String title, List<String> entries) {
    section(title);
    for (String entry : entries) {
      String[] parts = entry.split(" ", 2);
      entry(bold(parts[0]), text(parts[1]));
    }
  }

  private void json() {
    List<String> names = SCHEMAS.getOrDefault(command.name(), List.of());
    if (names.isEmpty()) {
      return;
    }
    section("JSON");
    paragraph(
        "The first field of a document, schema, names its kind. The JSON Schemas (draft 2020-12) are in the"
            + " folder docs/schema of the documentation:");
    names.forEach(name -> entry(bold(Json.schema(name)), text(name + ".schema.json")));
  }

  private void examples() {
    List<String> examples =
        Arrays.stream(HelpPage.notes(command))
            .map(Argument::plain)
            .filter(LineWrap::isExample)
            .map(words -> words.substring(LineWrap.EXAMPLE.length()))
            .toList();
    if (!examples.isEmpty()) {
      section("EXAMPLES");
      examples.forEach(example -> line(".PP\n.nf\n" + text(example) + "\n.fi"));
    }
  }

  private void seeAlso() {
    section("SEE ALSO");
    CommandLine parent = command.parent() == null ? null : command.parent().commandLine();
    line(parent == null ? "nvidia\\-smi(1)" : bold(name(parent)) + "(1)");
  }

  private void section(String title) {
    line(".SH \"" + title + "\"");
  }

  private void paragraph(String words) {
    line(".PP\n" + text(words));
  }

  /** Adds a name with its meaning, indented, below it. */
  private void entry(String head, String meaning) {
    line(".TP\n" + head + "\n" + meaning);
  }

  private void line(String line) {
    page.append(line).append('\n');
  }

  private static String bold(String words) {
    return "\\fB" + text(words) + "\\fR";
  }

  private static String italic(String words) {
    return "\\fI" + text(words) + "\\fR";
  }

  /**
   * Makes the first letter lower case, as in a list of names, unless the second letter shows that
   * the word is an acronym such as NCCL.
   */
  private static String decapitalized(String words) {
    boolean isName = words.length() < 2 || !Character.isLowerCase(words.charAt(1));
    return isName ? words : words.substring(0, 1).toLowerCase(Locale.ROOT) + words.substring(1);
  }

  /** Escapes a text so that roff prints it as it is and takes no line for a macro. */
  private static String text(String words) {
    String escaped =
        words.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga");
    return escaped
        .replace("^", "\\(ha")
        .replace("~", "\\(ti")
        .replaceAll("(?m)^(?=[.])", "\\\\&")
        .replace("\n", "\n.br\n");
  }
}
