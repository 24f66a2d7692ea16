package dev.topo.visualizer.view;

import dev.topo.model.Last;
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

/** An answer of a command, which can be written piece by piece if it is long. */
@FunctionalInterface
public interface Answer {
  /** Writes the answer as text. */
  void writeTo(Appendable out) throws IOException;

  /**
   * Returns this answer in an envelope: the caveats go into fields or columns of the format if it
   * has any, else into lines or comments, else to the messages.
   *
   * @param format the name of the answer's format
   * @param messages receives the caveats for which the format has no place, one line each
   */
  default Answer render(Envelope envelope, String format, Consumer<String> messages) {
    return envelope.around(this, format, messages);
  }

  /** Writes the bytes of the answer; a text is written as {@link PlainText} in UTF-8. */
  default void writeBytesTo(OutputStream out) throws IOException {
    Writer encoder = new OutputStreamWriter(out, StandardCharsets.UTF_8);
    Writer writer = PlainText.writer(new BufferedWriter(encoder));
    writeTo(writer);
    writer.flush();
  }

  /** Returns this answer with a sentence that sums it up and that a reader can quote. */
  default Answer saying(String sentence) {
    return new SpokenAnswer(sentence, this);
  }

  /** Returns this answer with its sentence written out, if the format has a place for it. */
  default Answer spoken(String format) {
    return this;
  }

  /** Returns this answer with the conditions of an envelope added to its sentence. */
  default Answer under(Envelope envelope) {
    return this;
  }

  /** Returns only the sentence; the whole answer if it has none. */
  default Answer inBrief() {
    return this;
  }

  /**
   * Returns this answer as text for people, whose paragraphs are wrapped to the width of the
   * terminal.
   */
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
   * Returns this answer wrapped for a terminal; answers that are not text for people are unchanged.
   *
   * @param columns the number of characters of a line
   */
  default Answer fitting(int columns) {
    return this;
  }

  /** Returns an answer with the given text. */
  static Answer of(String text) {
    return out -> out.append(text);
  }

  /** Returns an answer with the text written so far. */
  static Answer of(TextWriter text) {
    return of(text.toString());
  }

  /** Returns a binary answer, such as a picture. */
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

  /** Joins answers, with a separator between them. */
  static Answer join(List<Answer> answers, String separator) {
    return answers.size() == 1 ? answers.get(0) : new JoinedAnswer(answers, separator);
  }

  /** Limits the length of the first sentence of an answer. */
  final class Sentence {
    /**
     * The maximum number of words of a first sentence; numbers count as words, signs like {@code %}
     * do not.
     */
    public static final int MOST_WORDS = 35;

    private static final Pattern WORD = Pattern.compile("\\S*[\\p{L}\\p{N}]\\S*");

    private Sentence() {}

    /** Returns the text with its first letter capitalised. */
    public static String capitalised(String text) {
      return text.isEmpty() ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }

    /** Counts the words of a sentence. */
    public static long words(String sentence) {
      return WORD.matcher(sentence).results().count();
    }

    /**
     * Returns the first wording that is short enough, or the last one if none is.
     *
     * @param wordings the wordings, longest first
     */
    public static String of(String... wordings) {
      return of(List.of(wordings));
    }

    /** Like {@link #of(String...)}, for a list. */
    public static String of(List<String> wordings) {
      return wordings.stream()
          .filter(sentence -> words(sentence) <= MOST_WORDS)
          .findFirst()
          .orElseGet(() -> Last.of(wordings));
    }
  }
}
