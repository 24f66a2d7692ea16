package dev.topo.visualizer.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.google.javascript.jscomp.CheckLevel;
import com.google.javascript.jscomp.CommandLineRunner;
import com.google.javascript.jscomp.Compiler;
import com.google.javascript.jscomp.CompilerOptions;
import com.google.javascript.jscomp.DiagnosticGroup;
import com.google.javascript.jscomp.DiagnosticGroups;
import com.google.javascript.jscomp.JSError;
import com.google.javascript.jscomp.Result;
import com.google.javascript.jscomp.SourceFile;
import dev.topo.model.io.ResourceTable;
import dev.topo.visualizer.report.ReportPage;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The scripts of pages, read by a linter: syntax, names, numbers of arguments, useless code. */
@Tag("slow")
class PageScriptTest {
  private static final List<DiagnosticGroup> GROUPS =
      List.of(
          DiagnosticGroups.CHECK_VARIABLES,
          DiagnosticGroups.UNDEFINED_VARIABLES,
          DiagnosticGroups.UNUSED_LOCAL_VARIABLE,
          DiagnosticGroups.CHECK_USELESS_CODE,
          DiagnosticGroups.SUSPICIOUS_CODE,
          DiagnosticGroups.CHECK_REGEXP,
          DiagnosticGroups.ES5_STRICT);

  private static List<String> findings(String script) throws IOException {
    Compiler compiler =
        new Compiler(
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    CompilerOptions options = new CompilerOptions();
    options.setLanguageIn(CompilerOptions.LanguageMode.UNSTABLE);
    options.setLanguageOut(CompilerOptions.LanguageMode.NO_TRANSPILE);
    options.setChecksOnly(true);
    options.setCheckSymbols(true);
    options.setCheckSuspiciousCode(true);
    GROUPS.forEach(group -> options.setWarningLevel(group, CheckLevel.WARNING));
    Result result =
        compiler.compile(
            CommandLineRunner.getBuiltinExterns(CompilerOptions.Environment.BROWSER),
            List.of(SourceFile.fromCode("script", script)),
            options);
    return Stream.concat(result.errors.stream(), result.warnings.stream())
        .map(JSError::toString)
        .toList();
  }

  @Test
  void theScriptsOfPagesAreClean() throws IOException {
    assertEquals(List.of(), findings(ResourceTable.text(PageServer.class, "page.js")));
    assertEquals(List.of(), findings(ResourceTable.text(ReportPage.class, "report.js")));
  }

  @Test
  void whatIsWrongIsFound() throws IOException {
    for (String wrong :
        List.of(
            "f(",
            "window.x = missing;",
            "function f(a) { return 1; a(); } f(1);",
            "function f(a) { return a; } f(1, 2);",
            "let a = 1; let a = 2;")) {
      assertFalse(findings(wrong).isEmpty(), wrong);
    }
  }
}
