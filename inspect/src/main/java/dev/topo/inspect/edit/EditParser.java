package dev.topo.inspect.edit;

import dev.topo.model.CpuPreset;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.rules.ReleaseRules.NcclRelease;
import dev.topo.search.rules.UnknownReleaseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the language of edits. An edit is a line or ends with {@code ;}, and {@code #} begins a
 * comment. A line {@code [name]} begins a variant.
 *
 * <pre>
 * remove net:mlx5_3 gpu:7
 * move nic:mlx5_3 to switch:0000:18:00.0
 * add net:mlx5_8 to switch:0000:18:00.0 like net:mlx5_0 speed=200000
 * add switch:0000:f0:00.0 to cpu:0
 * add nvlink:0-3 count=2
 * net:mlx5_*.speed=200000
 * cpu:* as amd-genoa
 * env NCCL_CROSS_NIC=1
 * machine other.xml
 * nccl 2.27.5
 * </pre>
 */
public final class EditParser {
  private static final String VERBS =
      "remove, move, add, env, machine, nccl, or a part as in net:mlx5_3.speed=200000 or cpu:* as amd-genoa";

  private EditParser() {}

  /**
   * Parses the edits of a text without variants.
   *
   * @param source name of the text in messages
   * @throws TopologyFormatException if the text is malformed, with line, column and what was
   *     expected
   */
  public static List<Edit> parse(String text, String source) {
    List<EditSet> variants = parseVariants(text, source);
    if (variants.size() > 1 || (variants.size() == 1 && !variants.get(0).name().isEmpty())) {
      throw new TopologyFormatException(source, "has a [name] of a variant, expected edits only");
    }
    return variants.isEmpty() ? List.of() : variants.get(0).edits();
  }

  /**
   * Parses the variants of a text, in order; edits before the first {@code [name]} form a variant
   * with an empty name.
   *
   * @throws TopologyFormatException as {@link #parse}
   */
  public static List<EditSet> parseVariants(String text, String source) {
    Map<String, List<Edit>> variants = new LinkedHashMap<>();
    List<Edit> edits = new ArrayList<>();
    variants.put("", edits);
    int number = 0;
    for (String line : text.split("\n", -1)) {
      number++;
      String bare = line.strip();
      if (bare.startsWith("[") && bare.endsWith("]")) {
        String name = bare.substring(1, bare.length() - 1).strip();
        edits = new ArrayList<>();
        if (name.isEmpty() || variants.put(name, edits) != null) {
          throw new TopologyFormatException(
              new SourceLocation(source, number, line.indexOf('[') + 1),
              bare + ": expected a name that no other variant has");
        }
        continue;
      }
      for (List<Token> statement : Token.statements(line, source, number)) {
        edits.addAll(statement(statement));
      }
    }
    return variants.entrySet().stream()
        .map(variant -> new EditSet(variant.getKey(), variant.getValue()))
        .filter(variant -> !variant.name().isEmpty() || !variant.edits().isEmpty())
        .toList();
  }

  private static List<Edit> statement(List<Token> tokens) {
    Token verb = tokens.get(0);
    List<Token> rest = tokens.subList(1, tokens.size());
    return switch (verb.text()) {
      case "remove" -> List.of(new Edit.Remove(selectors(verb, rest), verb.location()));
      case "move" -> List.of(move(verb, rest));
      case "add" -> List.of(add(verb, rest));
      case "env" -> env(verb, rest);
      case "machine" -> List.of(machine(verb, rest));
      case "nccl" -> List.of(nccl(verb, rest));
      default -> List.of(editOfPart(verb, rest));
    };
  }

  private static List<Selector> selectors(Token verb, List<Token> tokens) {
    if (tokens.isEmpty()) {
      throw verb.error(
          "expected a part of the machine behind it, as in '%s net:0' (in quotes on a command line)"
              .formatted(verb.text()));
    }
    return tokens.stream().map(Token::selector).toList();
  }

  private static Edit move(Token verb, List<Token> rest) {
    int to = rest.size() - 2;
    if (to < 1 || !rest.get(to).text().equals("to")) {
      throw verb.error("expected move PART to PLACE, as in move net:mlx5_3 to switch:0000:18:00.0");
    }
    List<Selector> what = selectors(verb, rest.subList(0, to));
    return new Edit.Move(what, rest.get(to + 1).selector(), verb.location());
  }

  private static Edit add(Token verb, List<Token> rest) {
    if (rest.isEmpty()) {
      throw verb.error(
          "expected add PART to PLACE, as in add net:mlx5_8 to switch:0000:18:00.0 speed=200000");
    }
    Selector what = rest.get(0).selector();
    Optional<Selector> to = Optional.empty();
    Optional<Selector> like = Optional.empty();
    Map<String, String> attributes = new LinkedHashMap<>();
    for (int i = 1; i < rest.size(); i++) {
      Token token = rest.get(i);
      boolean isTo = token.text().equals("to");
      if (isTo || token.text().equals("like")) {
        if (i + 1 == rest.size()) {
          throw token.error("expected a part of the machine behind it");
        }
        Optional<Selector> selector = Optional.of(rest.get(++i).selector());
        to = isTo ? selector : to;
        like = isTo ? like : selector;
      } else {
        Map.Entry<String, String> set = token.assignment("to PLACE, like PART or NAME=VALUE");
        attributes.put(set.getKey(), set.getValue());
      }
    }
    return new Edit.Add(what, to, like, attributes, verb.location());
  }

  private static List<Edit> env(Token verb, List<Token> rest) {
    if (rest.isEmpty()) {
      throw verb.error("expected NAME=VALUE behind it, as in env NCCL_CROSS_NIC=1");
    }
    List<Edit> edits = new ArrayList<>();
    for (Token token : rest) {
      Map.Entry<String, String> set = token.assignment("NAME=VALUE, as in env NCCL_CROSS_NIC=1");
      edits.add(new Edit.SetEnv(set.getKey(), set.getValue(), token.location()));
    }
    return edits;
  }

  private static Edit machine(Token verb, List<Token> rest) {
    if (rest.size() != 1) {
      throw verb.error("expected one topology file behind it");
    }
    return new Edit.UseMachine(rest.get(0).text(), verb.location());
  }

  private static Edit nccl(Token verb, List<Token> rest) {
    if (rest.size() != 1) {
      throw verb.error("expected one version behind it, as in nccl 2.27.5");
    }
    try {
      return new Edit.UseNccl(
          ReleaseRules.of(NcclRelease.parse(rest.get(0).text())), verb.location());
    } catch (UnknownReleaseException e) {
      throw new TopologyFormatException(rest.get(0).location(), e.text());
    }
  }

  /** Edit that begins with the edited part. */
  private static Edit editOfPart(Token first, List<Token> rest) {
    String text = first.text();
    if (rest.size() == 2 && rest.get(0).text().equals("as")) {
      Token name = rest.get(1);
      CpuPreset preset =
          CpuPreset.ofWord(name.text())
              .orElseThrow(() -> name.error("expected one of " + CpuPreset.names()));
      return new Edit.UseCpu(first.selector(), preset, first.location());
    }
    int equals = text.indexOf('=');
    int dot = equals < 0 ? -1 : text.lastIndexOf('.', equals);
    if (dot < 0 || text.indexOf(':') < 0) {
      throw first.error("expected " + VERBS);
    }
    StringBuilder value = new StringBuilder(text.substring(equals + 1));
    rest.forEach(token -> value.append(' ').append(token.text()));
    return new Edit.SetAttribute(
        Selector.parse(text.substring(0, dot), first.location()),
        text.substring(dot + 1, equals),
        value.toString(),
        first.location());
  }
}
