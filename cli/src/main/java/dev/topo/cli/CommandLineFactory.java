package dev.topo.cli;

import dev.topo.cli.help.HelpPage;
import dev.topo.cli.terminal.Streams;
import dev.topo.model.io.PlainText;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Makes picocli's command line of topo. */
final class CommandLineFactory {
  private CommandLineFactory() {}

  /** The command with some of its subcommands. */
  static CommandLine of(TopoCommand top, List<String> subcommands) {
    Streams streams = top.context().streams();
    CommandLine line = new CommandLine(top);
    subcommands.forEach(name -> line.addSubcommand(CommandTable.create(name)));
    CommandSpec spec = line.getCommandSpec();
    line.getSubcommands()
        .values()
        .forEach(sub -> sub.getCommandSpec().versionProvider(spec.versionProvider()));
    SharedOptions.adapt(line);
    line.registerConverter(Path.class, Streams::file);
    line.setOut(utf8(streams.out()));
    line.setErr(plain(streams.err()));
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setExpandAtFiles(false);
    line.setHelpSectionKeys(List.of("page"));
    line.setHelpSectionMap(
        Map.of("page", page -> help(page.commandSpec(), top.context().helpWidth())));
    line.setExecutionStrategy(new CommandExecution(streams.progress()));
    line.setParameterExceptionHandler(FailureReport::ofUsage);
    line.setExecutionExceptionHandler(
        (e, command, result) -> FailureReport.of(e, streams, top.isDebug()));
    return line;
  }

  private static String help(CommandSpec spec, int width) {
    ParseResult parsed = spec.commandLine().getParseResult();
    return spec.parent() == null
        ? HelpPage.of(spec, CommandTable.GROUPS, width)
        : HelpPage.of(spec, parsed != null && parsed.originalArgs().contains(HelpPage.ALL), width);
  }

  private static PrintWriter utf8(OutputStream stream) {
    return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
  }

  private static PrintWriter plain(OutputStream stream) {
    Writer encoder = new OutputStreamWriter(stream, StandardCharsets.UTF_8);
    return new PrintWriter(PlainText.writer(encoder), true);
  }
}
