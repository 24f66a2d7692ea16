package dev.topo.visualizer.view;

import java.lang.reflect.InvocationTargetException;
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
 * The fields of a result, each declared once: {@link Json} writes an object with all of them in
 * this order, {@link Csv} a table with those that its header names. Immutable. A constant if the
 * result alone determines its fields, otherwise created by a method that has the additional inputs.
 *
 * <p>An empty {@link Optional} is null in JSON and an empty cell in a table. A record without
 * declared fields is written with its components.
 *
 * @param <T> the type that has the fields
 */
public final class Fields<T> {
  private static final Pattern WORD_END = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");

  /** The value of a field that is omitted from the object. */
  private enum Absence {
    ABSENT
  }

  private enum Kind {
    FIELD,
    /** The caveats of the document, which follow those of the answer. */
    CAVEATS,
    /** A column that only tables have. */
    COLUMN
  }

  /**
   * A field.
   *
   * @param name the name as in JSON; for a column, as in the header
   */
  private record Field<T>(String name, Kind kind, Function<? super T, ?> value) {
    boolean isWritten(String asName) {
      return kind != Kind.COLUMN && name.equals(asName);
    }

    /** The value for a table, which has a cell even for an absent field. */
    Object cell(T owner) {
      Object cell = value.apply(owner);
      return cell == Absence.ABSENT ? Optional.empty() : cell;
    }

    /** The name as in the header of a table, in snake case. */
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
     * @param caveats the caveats of the answer
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

  /** Returns an empty set of fields. */
  public static <T> Fields<T> of(Class<T> owner) {
    return new Fields<>(owner, List.of());
  }

  /** Returns all components of a record as fields of the same name. */
  public static <R extends Record> Fields<R> ofRecord(Class<R> owner) {
    return of(owner)
        .components(
            Stream.of(owner.getRecordComponents())
                .map(RecordComponent::getName)
                .toArray(String[]::new));
  }

  /**
   * Adds some components of a record as fields of the same name.
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
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
    } catch (IllegalAccessException e) {
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
   * Adds a field; {@link Json} determines how its value is spelled.
   *
   * @throws IllegalArgumentException if there is a field of this name already
   */
  public Fields<T> field(String name, Function<? super T, ?> value) {
    return and(name, Kind.FIELD, value);
  }

  /** Adds a text field that is null if the text is empty. */
  public Fields<T> text(String name, Function<? super T, String> value) {
    return field(name, value.andThen(text -> text.isEmpty() ? Optional.empty() : text));
  }

  /** Adds a field that is omitted from the object if the value is empty. */
  public Fields<T> optional(String name, Function<? super T, ? extends Optional<?>> value) {
    return field(
        name, owner -> value.apply(owner).<Object>map(object -> object).orElse(Absence.ABSENT));
  }

  /** Adds a nested object. */
  public <U> Fields<T> object(String name, Function<? super T, U> part, Fields<U> fields) {
    return field(name, owner -> fields.json(part.apply(owner)));
  }

  /** Adds an array of nested objects. */
  public <U> Fields<T> list(
      String name, Function<? super T, ? extends Collection<U>> parts, Fields<U> fields) {
    return field(name, owner -> fields.json(parts.apply(owner)));
  }

  /** Adds the caveats of the document, which follow those of the answer. */
  public Fields<T> caveats(Function<? super T, List<String>> sentences) {
    return and("caveats", Kind.CAVEATS, sentences);
  }

  /**
   * Adds the fields of a part of the owner in place.
   *
   * @param part determines the part; called for each of its fields
   */
  public <U> Fields<T> including(Function<? super T, U> part, Fields<U> fields) {
    Fields<T> more = this;
    for (Field<U> field : fields.all) {
      more = more.and(field.name, field.kind, owner -> field.value.apply(part.apply(owner)));
    }
    return more;
  }

  /** Adds the fields of a part of the owner in place; they are null if there is no such part. */
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
   * Adds a column that only tables have.
   *
   * @param name the name as in the header; takes precedence over a field of that name
   */
  public Fields<T> column(String name, Function<? super T, ?> value) {
    return and(name, Kind.COLUMN, value);
  }

  /**
   * Adds columns for the fields of a part.
   *
   * @param prefix the prefix of the column names
   */
  public <U> Fields<T> columns(String prefix, Function<? super T, U> part, Fields<U> fields) {
    Fields<T> more = this;
    for (Field<U> field : fields.all) {
      more = more.column(prefix + field.column(), owner -> field.value.apply(part.apply(owner)));
    }
    return more;
  }

  /** Returns an object for {@link Json}. */
  public Object json(T value) {
    return new Filled<>(this, value);
  }

  /** Returns objects for {@link Json}. */
  public List<Object> json(Collection<? extends T> values) {
    return values.stream().map(this::json).toList();
  }

  /** Returns a function that computes the cells of a row, in the order of the header. */
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
