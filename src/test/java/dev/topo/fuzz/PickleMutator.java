package dev.topo.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/**
 * Pickles whose structure is hostile: values nested deep, open marks, lists that contain themselves
 * or are repeated at each depth, opcodes in any order, and content after the value.
 */
final class PickleMutator implements Mutator {
  private static final int MOST = 20_000;

  /** Opcodes that need no argument. */
  private static final String PLAIN =
      "NN]]}})(((aesutlde012\u0085\u0086\u0087\u0088\u0089\u008f\u0090\u0091\u0094.";

  @Override
  public byte[] mutate(byte[] seed, Random random) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    switch (random.nextInt(8)) {
      case 0 -> deep(out, random);
      case 1 -> repeated(out, random);
      case 2 -> containsItself(out, random);
      case 3 -> program(out, 1 + random.nextInt(60), random);
      case 4 -> dump(out, random);
      case 5 -> inserted(out, seed, random);
      case 6 -> {
        out.writeBytes(seed);
        out.writeBytes(tail(seed, random));
      }
      default -> {
        write(out, "\u0080\u0002" + "(".repeat(random.nextInt(4)));
        out.write(seed, 2, seed.length - 2);
      }
    }
    return out.toByteArray();
  }

  private static void write(ByteArrayOutputStream out, String bytes) {
    out.writeBytes(bytes.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static void deep(ByteArrayOutputStream out, Random random) {
    int depth = 1 + random.nextInt(random.nextBoolean() ? 200 : MOST);
    write(out, "\u0080\u0002");
    switch (random.nextInt(4)) {
      case 0 -> write(out, "]".repeat(depth) + "a".repeat(depth - 1));
      case 1 -> write(out, "(".repeat(depth) + "l".repeat(depth));
      case 2 -> write(out, "N" + "\u0085".repeat(depth));
      default -> write(out, "}U\u0001a".repeat(depth) + "N" + "s".repeat(depth));
    }
    write(out, ".");
  }

  /** Each list has the one before it several times. */
  private static void repeated(ByteArrayOutputStream out, Random random) {
    write(out, "\u0080\u0002]q\u0000");
    int times = 1 + random.nextInt(4);
    int depth = random.nextInt(120);
    for (int i = 1; i <= depth; i++) {
      write(out, "]q" + (char) i + "(" + ("h" + (char) (i - 1)).repeat(times) + "e");
    }
    write(out, ".");
  }

  private static void containsItself(ByteArrayOutputStream out, Random random) {
    int lists = 1 + random.nextInt(40);
    write(out, "\u0080\u0002");
    for (int i = 0; i < lists; i++) {
      write(out, (random.nextInt(4) == 0 ? "}q" : "]q") + (char) i);
    }
    for (int i = random.nextInt(100); i > 0; i--) {
      write(out, "h" + (char) random.nextInt(lists));
      write(out, random.nextBoolean() ? "h" + (char) random.nextInt(lists) + "a" : "U\u0001kNs");
    }
    write(out, ".");
  }

  private static void program(ByteArrayOutputStream out, int length, Random random) {
    write(out, "\u0080\u0004");
    for (int i = 0; i < length; i++) {
      opcode(out, random);
    }
    write(out, ".");
  }

  private static void opcode(ByteArrayOutputStream out, Random random) {
    switch (random.nextInt(10)) {
      case 0 -> write(out, "K" + (char) random.nextInt(256));
      case 1 -> write(out, "q" + (char) random.nextInt(8));
      case 2, 3 -> write(out, "h" + (char) random.nextInt(8));
      case 4 -> write(out, "X\u0007\u0000\u0000\u0000entries");
      case 5 -> write(out, "I" + random.nextInt() + "\n");
      default -> write(out, PLAIN.substring(random.nextInt(PLAIN.length())).substring(0, 1));
    }
  }

  /** A dump whose calls share their sizes, and these their lengths. */
  private static void dump(ByteArrayOutputStream out, Random random) {
    int most = random.nextBoolean() ? 20 : 2_000;
    write(out, "\u0080\u0002}U\u0007entries");
    write(out, "](" + "K\u0002".repeat(random.nextInt(20)) + "eq\u00010");
    write(out, "](" + "h\u0001".repeat(random.nextInt(most)) + "eq\u00020");
    write(out, "}(U\u000binput_sizesh\u0002U\u000cinput_dtypes](U\u0004Halfeuq\u00030");
    write(out, "](" + "h\u0003".repeat(random.nextInt(most)) + "es.");
  }

  private static void inserted(ByteArrayOutputStream out, byte[] seed, Random random) {
    int at = 2 + random.nextInt(seed.length - 2);
    out.write(seed, 0, at);
    for (int i = random.nextInt(4); i >= 0; i--) {
      opcode(out, random);
    }
    out.write(seed, at, seed.length - at);
  }

  private static byte[] tail(byte[] seed, Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> seed;
      case 1 -> " \r\n".repeat(random.nextInt(MOST)).getBytes(StandardCharsets.ISO_8859_1);
      case 2 -> new byte[1 + random.nextInt(MOST)];
      default -> new byte[] {(byte) random.nextInt(256)};
    };
  }
}
