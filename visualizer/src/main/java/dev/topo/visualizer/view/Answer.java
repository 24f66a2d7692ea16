package dev.topo.visualizer.view;

import dev.topo.model.io.FoldedText;
import dev.topo.model.io.PlainText;
import dev.topo.model.io.TextWriter;
import dev.topo.visualizer.view.SplitAnswer.JoinedAnswer;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Something that can be written out, piece by piece where it is long. */
@FunctionalInterface
public interface Answer {
  /** Writes it. */
  void writeTo(Appendable out) throws IOException;

  /**
   * This answer in an envelope: with its fields or columns, else with its caveats as lines or
   * comments, else with the caveats among the messages.
   *
   * @param format the name of its format
   * @param messages takes caveats for which the format has no place, a line each
   */
  default Answer render(Envelope envelope, String format, Consumer<String> messages) {
    return envelope.around(this, format, messages);
  }

  /** Writes its bytes; {@link PlainText} in UTF-8 where it is a text. */
  default void writeBytesTo(OutputStream out) throws IOException {
    Writer encoder = new OutputStreamWriter(out, StandardCharsets.UTF_8);
    Writer writer = PlainText.writer(new BufferedWriter(encoder));
    writeTo(writer);
    writer.flush();
  }

  /** This answer with its sentence, which a reader could repeat. */
  default Answer saying(String sentence) {
    return new SpokenAnswer(sentence, this);
  }

  /** This answer with its sentence where the format has a place for it. */
  default Answer spoken(String format) {
    return this;
  }

  /** This answer with the conditions of an envelope in its sentence. */
  default Answer under(Envelope envelope) {
    return this;
  }

  /** Its sentence alone; the whole answer where it has none. */
  default Answer inBrief() {
    return this;
  }

  /** This answer for people, whose paragraphs a terminal shows in lines of its own width. */
  default Answer asText() {
    Answer whole = this;
    return new Answer() {
      @Override
      public void writeTo(Appendable out) throws IOException {
        whole.writeTo(out);
      }

      @Override
      public Answer fitting(int columns) {
        return out -> {
          StringBuilder text = new StringBuilder();
          whole.writeTo(text);
          out.append(FoldedText.of(text.toString(), columns));
        };
      }
    };
  }

  /**
   * This answer for a terminal: what is no text for people stays as it is.
   *
   * @param columns characters of a line
   */
  default Answer fitting(int columns) {
    return this;
  }

  /** An answer that is a text already. */
  static Answer of(String text) {
    return out -> out.append(text);
  }

  /** The answer that was written. */
  static Answer of(TextWriter text) {
    return of(text.toString());
  }

  /** An answer that is no text, such as a picture. */
  static Answer ofBytes(byte[] bytes) {
    return new Answer() {
      @Override
      public void writeTo(Appendable out) throws IOException {
        throw new IOException("the answer is not a text");
      }

      @Override
      public void writeBytesTo(OutputStream out) throws IOException {
        out.write(bytes);
      }
    };
  }

  /** Answers one after the other, with something between them. */
  static Answer join(List<Answer> answers, String between) {
    return answers.size() == 1 ? answers.get(0) : new JoinedAnswer(answers, between);
  }

  /** How long the first sentence of an answer may be. */
  final class Sentence {
    /** The most words of a first sentence; numbers are words, signs like {@code %} are not. */
    public static final int MOST_WORDS = 35;

    private static final Pattern WORD = Pattern.compile("\\S*[\\p{L}\\p{N}]\\S*");

    private Sentence() {}

    /** A text as the begin of a sentence. */
    public static String capitalised(String text) {
      return text.isEmpty() ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }

    /** The number of words. */
    public static long words(String sentence) {
      return WORD.matcher(sentence).results().count();
    }

    /**
     * The first of some wordings that is short enough; the last where none is.
     *
     * @param wordings the fullest first
     */
    public static String of(String... wordings) {
      return of(List.of(wordings));
    }

    /** The same of a list. */
    public static String of(List<String> wordings) {
      return wordings.stream()
          .filter(sentence -> words(sentence) <= MOST_WORDS)
          .findFirst()
          .orElseGet(() -> wordings.get(wordings.size() - 1));
    }
  }
}
