package dev.topo.visualizer.view;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;

/**
 * The fields of a result, each declared once: {@link Json} writes an object of all of them in this
 * order, {@link Csv} a table of those that its header names. Immutable; a constant where the result
 * alone determines its fields, else made by a method that has what else they depend on.
 *
 * <p>An empty {@link Optional} is null in JSON and an empty cell in a table. JSON has the
 * components of a record without fields of its own.
 *
 * @param <T> what has the fields
 */
public final class Fields<T> {
  private static final Pattern WORD_END = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");

  /** The value of a field that an object does not have. */
  private enum Absence {
    ABSENT
  }

  private enum Kind {
    FIELD,
    /** A field of the document's caveats, which follow those of the answer. */
    CAVEATS,
    /** A column of tables alone. */
    COLUMN
  }

  /**
   * A field.
   *
   * @param name as in JSON; of a column as in the header
   */
  private record Field<T>(String name, Kind kind, Function<? super T, ?> value) {
    boolean isWritten(String asName) {
      return kind != Kind.COLUMN && name.equals(asName);
    }

    /** The value for a table, which has a cell for each field. */
    Object cell(T owner) {
      Object cell = value.apply(owner);
      return cell == Absence.ABSENT ? Optional.empty() : cell;
    }

    /** The name as in the header of a table. */
    String column() {
      return kind == Kind.COLUMN
          ? name
          : WORD_END.matcher(name).replaceAll("_").toLowerCase(Locale.ROOT);
    }
  }

  /** A value with its fields, as {@link Json} writes it. */
  record Filled<T>(Fields<T> fields, T value) implements Json.Written {
    @Override
    public void write(JsonGenerator out, SerializationContext context) {
      out.writeStartObject();
      writeFields(List.of(), out, context);
      out.writeEndObject();
    }

    boolean hasCaveats() {
      return fields.all.stream().anyMatch(field -> field.kind == Kind.CAVEATS);
    }

    /**
     * Writes the fields.
     *
     * @param caveats those of the answer
     */
    void writeFields(List<String> caveats, JsonGenerator out, SerializationContext context) {
      for (Field<T> field : fields.all) {
        if (field.kind == Kind.COLUMN) {
          continue;
        }
        Object content = field.value.apply(value);
        if (field.kind == Kind.CAVEATS) {
          content = Stream.concat(caveats.stream(), ((List<?>) content).stream()).toList();
        }
        if (content != Absence.ABSENT) {
          out.writeName(field.name);
          context.writeValue(out, content);
        }
      }
    }
  }

  private final Class<T> owner;
  private final List<Field<T>> all;

  private Fields(Class<T> owner, List<Field<T>> fields) {
    this.owner = owner;
    this.all = fields;
  }

  /** No fields yet. */
  public static <T> Fields<T> of(Class<T> owner) {
    return new Fields<>(owner, List.of());
  }

  /** All components of a record, each a field of its name. */
  public static <R extends Record> Fields<R> ofRecord(Class<R> owner) {
    return of(owner)
        .components(
            Stream.of(owner.getRecordComponents())
                .map(RecordComponent::getName)
                .toArray(String[]::new));
  }

  /**
   * Some components of a record, each a field of its name.
   *
   * @throws IllegalArgumentException if the record has no such component
   */
  public Fields<T> components(String... names) {
    Fields<T> fields = this;
    for (String name : names) {
      Method accessor =
          Stream.of(owner.getRecordComponents())
              .filter(component -> component.getName().equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          owner.getSimpleName() + " has no component " + name))
              .getAccessor();
      accessor.setAccessible(true); // as the record may be private
      fields = fields.field(name, value -> content(accessor, value));
    }
    return fields;
  }

  private static Object content(Method accessor, Object value) {
    try {
      return accessor.invoke(value);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private Fields<T> and(String name, Kind kind, Function<? super T, ?> value) {
    if (kind != Kind.COLUMN && all.stream().anyMatch(field -> field.isWritten(name))) {
      throw new IllegalArgumentException(
          owner.getSimpleName() + " has a field " + name + " already");
    }
    List<Field<T>> more = new ArrayList<>(all);
    more.add(new Field<>(name, kind, value));
    return new Fields<>(owner, List.copyOf(more));
  }

  /**
   * One more field; its value is spelled as {@link Json} spells it.
   *
   * @throws IllegalArgumentException if there is one of this name
   */
  public Fields<T> field(String name, Function<? super T, ?> value) {
    return and(name, Kind.FIELD, value);
  }

  /** A text, which is not known where it is empty. */
  public Fields<T> text(String name, Function<? super T, String> value) {
    return field(name, value.andThen(text -> text.isEmpty() ? Optional.empty() : text));
  }

  /** A field that an object does not have where the value is empty. */
  public Fields<T> optional(String name, Function<? super T, ? extends Optional<?>> value) {
    return field(
        name, owner -> value.apply(owner).<Object>map(object -> object).orElse(Absence.ABSENT));
  }

  /** An object with fields of its own. */
  public <U> Fields<T> object(String name, Function<? super T, U> part, Fields<U> fields) {
    return field(name, owner -> fields.json(part.apply(owner)));
  }

  /** An array of objects with fields of their own. */
  public <U> Fields<T> list(
      String name, Function<? super T, ? extends Collection<U>> parts, Fields<U> fields) {
    return field(name, owner -> fields.json(parts.apply(owner)));
  }

  /** The caveats of a document: those of the answer, then these. */
  public Fields<T> caveats(Function<? super T, List<String>> sentences) {
    return and("caveats", Kind.CAVEATS, sentences);
  }

  /**
   * The fields of a part, in place.
   *
   * @param part determines it; called for each of its fields
   */
  public <U> Fields<T> including(Function<? super T, U> part, Fields<U> fields) {
    Fields<T> more = this;
    for (Field<U> field : fields.all) {
      more = more.and(field.name, field.kind, owner -> field.value.apply(part.apply(owner)));
    }
    return more;
  }

  /** The fields of a part, in place; null where there is no such part. */
  public <U> Fields<T> includingOptional(Function<? super T, Optional<U>> part, Fields<U> fields) {
    Fields<T> more = this;
    for (Field<U> field : fields.all) {
      Function<T, Object> value =
          owner -> part.apply(owner).<Object>map(field.value).orElse(Optional.empty());
      more = more.and(field.name, field.kind, value);
    }
    return more;
  }

  /**
   * A column of tables, which no object has.
   *
   * @param name as in the header; takes precedence over a field
   */
  public Fields<T> column(String name, Function<? super T, ?> value) {
    return and(name, Kind.COLUMN, value);
  }

  /**
   * Columns for the fields of a part.
   *
   * @param prefix what the names of the columns begin with
   */
  public <U> Fields<T> columns(String prefix, Function<? super T, U> part, Fields<U> fields) {
    Fields<T> more = this;
    for (Field<U> field : fields.all) {
      more = more.column(prefix + field.column(), owner -> field.value.apply(part.apply(owner)));
    }
    return more;
  }

  /** An object for {@link Json}. */
  public Object json(T value) {
    return new Filled<>(this, value);
  }

  /** Objects for {@link Json}. */
  public List<Object> json(Collection<? extends T> values) {
    return values.stream().map(this::json).toList();
  }

  /** The values of a row, in the order of the names of its columns. */
  public Function<T, List<?>> row(String header) {
    List<Field<T>> columns = Stream.of(header.split(",", -1)).map(this::field).toList();
    return owner -> columns.stream().map(column -> column.cell(owner)).toList();
  }

  private Field<T> field(String column) {
    return all.stream()
        .filter(field -> field.column().equals(column))
        .reduce((one, next) -> next.kind.compareTo(one.kind) >= 0 ? next : one)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    owner.getSimpleName() + " has no field for the column " + column));
  }
}
