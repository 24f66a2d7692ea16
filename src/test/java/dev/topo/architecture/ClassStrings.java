package dev.topo.architecture;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** The string constants of the code of a class, which its constant pool has (JVMS 4.4). */
final class ClassStrings {
  private static final int UTF8 = 1;
  private static final int LONG = 5;
  private static final int DOUBLE = 6;
  private static final int STRING = 8;

  private ClassStrings() {}

  /** The constants; texts of annotations are none. */
  static List<String> of(InputStream in) throws IOException {
    DataInputStream data = new DataInputStream(in);
    data.readInt(); // magic
    data.readInt(); // version
    int count = data.readUnsignedShort();
    String[] texts = new String[count];
    List<Integer> strings = new ArrayList<>();
    for (int i = 1; i < count; i++) {
      int tag = data.readUnsignedByte();
      if (tag == UTF8) {
        texts[i] = data.readUTF();
      } else if (tag == STRING) {
        strings.add(data.readUnsignedShort());
      } else {
        data.skipBytes(size(tag));
        i += tag == LONG || tag == DOUBLE ? 1 : 0;
      }
    }
    return strings.stream().map(index -> texts[index]).toList();
  }

  /** Bytes of a constant behind its tag. */
  private static int size(int tag) {
    return switch (tag) {
      case LONG, DOUBLE -> 8;
      case 7, 16, 19, 20 -> 2; // class, method type, module, package
      case 15 -> 3; // method handle
      default -> 4; // int, float, references, names with types, dynamic
    };
  }
}
