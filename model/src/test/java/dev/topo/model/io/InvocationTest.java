package dev.topo.model.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.Inputs.Invocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InvocationTest {
  @TempDir private Path folder;

  @Test
  void aCommandLineIsOneThatAShellReads() {
    Invocation made =
        Invocation.of("topo", "1", new Inputs(), "whatif", "a.xml", "env A=1", "it's", "");
    assertEquals("topo 1", made.program());
    assertEquals("topo whatif a.xml 'env A=1' 'it'\\''s' ''", made.commandLine());
    assertTrue(made.isCommand());
    assertFalse(Invocation.NONE.isCommand());
  }

  @Test
  void inputsAreThoseOfTheTimeAtWhichItIsAsked() throws IOException {
    Inputs inputs = new Inputs();
    Invocation made = Invocation.of("topo", "1", inputs);
    assertEquals(List.of(), made.inputs().get());
    inputs.text(Files.writeString(folder.resolve("a.txt"), "abc"), "a text");
    assertEquals(inputs.list(), made.inputs().get());
    assertEquals(1, made.inputs().get().size());
  }
}
