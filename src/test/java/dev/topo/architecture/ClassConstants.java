package dev.topo.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * The constants of the code of a class, which its constant pool has (JVMS 4.4). Texts of
 * annotations are none.
 */
record ClassConstants(List<String> strings, List<Double> doubles) {
  private static final int UTF8 = 1;
  private static final int LONG = 5;
  private static final int DOUBLE = 6;
  private static final int STRING = 8;

  static ClassConstants of(JavaClass one) throws IOException {
    String file = "/" + one.getName().replace('.', '/') + ".class";
    try (InputStream in = ClassConstants.class.getResourceAsStream(file)) {
      return of(in);
    }
  }

  private static ClassConstants of(InputStream in) throws IOException {
    DataInputStream data = new DataInputStream(in);
    data.readInt(); // magic
    data.readInt(); // version
    int count = data.readUnsignedShort();
    String[] texts = new String[count];
    List<Integer> strings = new ArrayList<>();
    List<Double> doubles = new ArrayList<>();
    for (int i = 1; i < count; i++) {
      int tag = data.readUnsignedByte();
      switch (tag) {
        case UTF8 -> texts[i] = data.readUTF();
        case STRING -> strings.add(data.readUnsignedShort());
        case DOUBLE -> doubles.add(data.readDouble());
        default -> data.skipBytes(size(tag));
      }
      i += tag == LONG || tag == DOUBLE ? 1 : 0;
    }
    return new ClassConstants(strings.stream().map(index -> texts[index]).toList(), doubles);
  }

  /** Bytes of a constant behind its tag. */
  private static int size(int tag) {
    return switch (tag) {
      case LONG -> 8;
      case 7, 16, 19, 20 -> 2; // class, method type, module, package
      case 15 -> 3; // method handle
      default -> 4; // int, float, references, names with types, dynamic
    };
  }
}
