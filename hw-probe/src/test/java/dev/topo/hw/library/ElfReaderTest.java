package dev.topo.hw.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.hw.fixture.ElfFile;
import dev.topo.hw.fixture.MachineFolder;
import dev.topo.hw.sysfs.FileTree;
import dev.topo.model.io.Inputs;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ElfReaderTest {
  private static final Pattern ANY = Pattern.compile("NCCL version ([0-9.]+)");

  @TempDir private Path folder;
  private int machines;

  /**
   * A folder for each file: ext4 writes a file to the disk that replaces the content of another.
   */
  private ElfReader reader(byte[] content) {
    Path machine = folder.resolve(Integer.toString(machines++));
    return new ElfReader(
        new FileTree(new MachineFolder(machine).bytes("/x", content).folder(), new Inputs()));
  }

  @Test
  void readsWhatALibraryTellsTheLoader() {
    ElfFile file =
        ElfFile.library("liba.so.1").needs("libb.so", "libc.so.6").rpath("/a:/b").runpath("/c");
    assertEquals(
        new ElfDynamic(
            ElfMachine.X86_64,
            Optional.of("liba.so.1"),
            List.of("libb.so", "libc.so.6"),
            List.of("/a", "/b"),
            List.of("/c")),
        reader(file.bytes()).dynamic("/x"));
  }

  @Test
  void tellsSymbolsThatAreThereFromThoseThatAreExpected() {
    ElfFile file =
        ElfFile.program()
            .defines("ncclFoo", "other")
            .expects("ncclBar", "malloc")
            .expectsWeakly("ncclMaybe");
    ElfReader.Symbols symbols = reader(file.bytes()).symbols("/x", "nccl");
    assertEquals(Set.of("ncclFoo"), symbols.defined());
    assertEquals(Set.of("ncclBar"), symbols.undefined());
  }

  @Test
  void findsATextAmongTheConstants() {
    byte[] content = ElfFile.nccl("2.28.9+cuda13.0").bytes();
    assertEquals(
        "2.28.9", reader(content).constant("/x", "NCCL version ", ANY).orElseThrow().group(1));
    assertTrue(reader(content).constant("/x", "NCCL version 9", ANY).isEmpty());
  }

  @Test
  void saysOfOtherProcessorsOnlyWhatTheyAre() {
    byte[] arm = ElfFile.library("liba.so").machine(183).bytes();
    assertEquals(ElfMachine.AARCH64, reader(arm).dynamic("/x").machine());
    byte[] narrow = ElfFile.library("liba.so").bytes();
    narrow[4] = 1;
    assertEquals(new ElfMachine(32, true, 62), reader(narrow).dynamic("/x").machine());
    assertEquals(Optional.empty(), reader(narrow).dynamic("/x").soname());
  }

  @Test
  void whatIsNoElfFileSaysSo() {
    assertEquals(
        "/x: is no ELF file",
        assertThrows(
                ElfFormatException.class, () -> reader("INPUT(-lnccl)".getBytes()).dynamic("/x"))
            .getMessage());
    assertThrows(ElfFormatException.class, () -> reader(new byte[0]).dynamic("/x"));
    assertThrows(ElfFormatException.class, () -> reader(new byte[0]).dynamic("/none"));
  }

  @Test
  void aDamagedFileIsToldFromABug() {
    byte[] whole = ElfFile.nccl("2.28.9+cuda13.0").needs("libc.so.6").runpath("/a").bytes();
    Random random = new Random(1);
    for (int i = 0; i < 2000; i++) {
      byte[] content =
          Arrays.copyOf(whole, i % 3 == 0 ? random.nextInt(whole.length) : whole.length);
      for (int n = 0; n < 3 && content.length > 4; n++) {
        content[4 + random.nextInt(content.length - 4)] = (byte) random.nextInt();
      }
      ElfReader reader = reader(content);
      String seed = "damage " + i;
      try {
        reader.dynamic("/x");
        reader.symbols("/x", "nccl");
        reader.constant("/x", "NCCL version ", ANY);
      } catch (ElfFormatException e) {
        assertTrue(e.getMessage().startsWith("/x: "), seed);
      } catch (RuntimeException e) {
        throw new AssertionError(seed, e);
      }
    }
  }
}
