package dev.topo.inspect.trace;

import static dev.topo.inspect.trace.MessageReader.FIELD_SHIFT;
import static dev.topo.inspect.trace.MessageReader.LENGTH_DELIMITED;
import static dev.topo.inspect.trace.MessageReader.VARINT;

import java.io.IOException;
import java.util.OptionalLong;

/**
 * Fields that topo uses of a {@code Node} message of {@code
 * mlcommons/chakra:schema/protobuf/et_def.proto}.
 *
 * @param name {@code name}
 * @param type {@code type}, a number of {@code NodeType}
 * @param durationUs {@code duration_micros}; 0 if absent
 * @param inputTypes {@code inputs.types}
 * @param size the attribute {@code comm_size}
 * @param collective the attribute {@code comm_type}, a number of {@code CollectiveCommType}
 * @param group the attribute {@code pg_name}
 * @param isOnHost the attribute {@code is_cpu_op}
 */
record ChakraNode(
    String name,
    long type,
    long durationUs,
    String inputTypes,
    OptionalLong size,
    OptionalLong collective,
    String group,
    boolean isOnHost) {
  // Field tags of Node.
  private static final int NAME = 2 << FIELD_SHIFT | LENGTH_DELIMITED;
  private static final int TYPE = 3 << FIELD_SHIFT | VARINT;
  private static final int DURATION_MICROS = 7 << FIELD_SHIFT | VARINT;
  private static final int INPUTS = 8 << FIELD_SHIFT | LENGTH_DELIMITED;
  private static final int ATTRIBUTE = 10 << FIELD_SHIFT | LENGTH_DELIMITED;

  // Field tags of IOInfo and AttributeProto.
  private static final int TYPES = 3 << FIELD_SHIFT | LENGTH_DELIMITED;
  private static final int ATTRIBUTE_NAME = 1 << FIELD_SHIFT | LENGTH_DELIMITED;
  private static final int INT64 = 9 << FIELD_SHIFT | VARINT;
  private static final int UINT64 = 13 << FIELD_SHIFT | VARINT;
  private static final int BOOL = 27 << FIELD_SHIFT | VARINT;
  private static final int STRING = 29 << FIELD_SHIFT | LENGTH_DELIMITED;

  /** Reads the node whose message the reader has entered. */
  static ChakraNode read(MessageReader reader) throws IOException {
    return new Fields(reader).node();
  }

  /** Collects the fields; the last of a repeated field wins. */
  private static final class Fields {
    private final MessageReader reader;
    private String name = "";
    private long type;
    private long durationUs;
    private String inputTypes = "";
    private OptionalLong size = OptionalLong.empty();
    private OptionalLong collective = OptionalLong.empty();
    private String group = "";
    private boolean isOnHost;

    Fields(MessageReader reader) {
      this.reader = reader;
    }

    ChakraNode node() throws IOException {
      for (int tag = reader.tag(); tag != 0; tag = reader.tag()) {
        switch (tag) {
          case NAME -> name = reader.text();
          case TYPE -> type = reader.number();
          case DURATION_MICROS -> durationUs = reader.number();
          case INPUTS -> inputs();
          case ATTRIBUTE -> attribute();
          default -> reader.skip();
        }
      }
      return new ChakraNode(name, type, durationUs, inputTypes, size, collective, group, isOnHost);
    }

    private void inputs() throws IOException {
      int savedLimit = reader.enter();
      for (int tag = reader.tag(); tag != 0; tag = reader.tag()) {
        if (tag == TYPES) {
          inputTypes = reader.text();
        } else {
          reader.skip();
        }
      }
      reader.leave(savedLimit);
    }

    private void attribute() throws IOException {
      String attribute = "";
      OptionalLong number = OptionalLong.empty();
      String text = "";
      int savedLimit = reader.enter();
      for (int tag = reader.tag(); tag != 0; tag = reader.tag()) {
        switch (tag) {
          case ATTRIBUTE_NAME -> attribute = reader.text();
          // Converters write numbers with any of these types.
          case INT64, UINT64, BOOL -> number = OptionalLong.of(reader.number());
          case STRING -> text = reader.text();
          default -> reader.skip();
        }
      }
      reader.leave(savedLimit);
      switch (attribute) {
        case "comm_size" -> size = OptionalLong.of(number.orElse(0));
        case "comm_type" -> collective = number;
        case "pg_name" -> group = text;
        case "is_cpu_op" -> isOnHost = number.orElse(0) != 0;
        default -> {}
      }
    }
  }
}
