package dev.topo.hw.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.hw.library.LibrarySearch.LoaderVariables;
import dev.topo.hw.sysfs.FileTree;
import dev.topo.model.fixture.NotRun;
import dev.topo.model.io.Inputs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Compares with the dynamic loader of this machine, which lists what it loads and starts nothing if
 * {@code LD_TRACE_LOADED_OBJECTS} is set. For a machine with glibc, of any kind.
 */
class DynamicLoaderIT {
  private static final int PROGRAMS = 150;
  private static final Pattern LINE = Pattern.compile("\\s*(\\S+) => (/\\S+) \\(0x[0-9a-f]+\\)");

  private final FileTree files = FileTree.ofThisMachine(new Inputs());
  private final ElfMachine machine = ElfMachine.ofArchitecture(System.getProperty("os.arch", ""));

  @Test
  void loadsWhatTheLoaderOfThisMachineLoads() throws IOException {
    NotRun.unless(files.isFile(LibraryCache.FILE), "the dynamic loader of this machine (no glibc)");
    LibrarySearch search = LibrarySearch.on(files, LoaderVariables.NONE, machine);
    int compared = 0;
    for (String name : files.list("/usr/bin")) {
      String program = "/usr/bin/" + name;
      if (compared < PROGRAMS && isDynamicProgram(program)) {
        DynamicLoader loader = new DynamicLoader(search);
        loader.start(program);
        Map<String, String> expected = real(trace(program));
        Map<String, String> ours = new TreeMap<>();
        for (String library : expected.keySet()) {
          loader.named(library).ifPresent(object -> ours.put(library, object.hit().realPath()));
        }
        assertEquals(expected, ours, program);
        compared++;
      }
    }
    assertTrue(compared > 0, "no program to compare");
    System.out.println("libraries of programs, as the loader of this machine has them " + compared);
  }

  private boolean isDynamicProgram(String program) {
    try {
      return files.isFile(program)
          && new ElfReader(files).dynamic(program).needed().contains("libc.so.6");
    } catch (ElfFormatException e) {
      return false;
    }
  }

  private Map<String, String> real(String trace) {
    Map<String, String> found = new TreeMap<>();
    for (String line : trace.lines().toList()) {
      Matcher matcher = LINE.matcher(line);
      if (matcher.matches()) {
        found.put(matcher.group(1), files.real(matcher.group(2)).orElse(matcher.group(2)));
      }
    }
    return found;
  }

  private static String trace(String program) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(List.of(program));
    builder.environment().clear();
    builder.environment().put("LD_TRACE_LOADED_OBJECTS", "1");
    builder.redirectErrorStream(true);
    Process process = builder.start();
    process.getOutputStream().close();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
