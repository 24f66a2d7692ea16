package dev.topo.inspect.lint;

import dev.topo.model.xml.Vocabulary;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.XmlVersions;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Rules for elements and attributes that NCCL ignores because of their place or spelling. */
record TagRules(Vocabulary kinds, NcclProfile profile, Findings findings) {
  private static final Pattern REFERENCE = Pattern.compile("&(#[0-9]+|#x[0-9a-fA-F]+|[a-z]+);");

  /** Checks the content of an element; the parent name of the file itself is empty. */
  void check(String parent, List<LintElement> elements) {
    for (LintElement element : elements) {
      if (element.read()) {
        newer(element);
        attributes(element);
        check(element.name(), element.children());
      } else {
        ignored(parent, element);
      }
    }
  }

  /** Checks an element that only newer versions read. */
  private void newer(LintElement element) {
    if (kinds == Vocabulary.TOPOLOGY) {
      XmlVersions.since(element.name(), profile)
          .ifPresent(
              version ->
                  findings.add(
                      LintRule.UNKNOWN_ELEMENT,
                      element,
                      "is not an element of NCCL " + profile + ", it came with " + version));
    }
  }

  private void ignored(String parent, LintElement element) {
    Set<String> read = kinds.childrenOf(parent);
    String expected = " NCCL reads " + (read.isEmpty() ? "nothing" : String.join(", ", read));
    if (!kinds.isElement(element.name())) {
      String place = parent.isEmpty() ? "outside of all elements" : "inside <" + parent + ">";
      String message = "is not an element of NCCL; " + place + expected;
      findings.add(LintRule.UNKNOWN_ELEMENT, element, message);
    } else if (parent.isEmpty()) {
      findings.add(LintRule.MISPLACED_ELEMENT, element, "outside of all elements" + expected);
    } else {
      String message = "is in <" + parent + ">; inside <" + parent + ">" + expected;
      findings.add(LintRule.MISPLACED_ELEMENT, element, message);
    }
  }

  private void attributes(LintElement element) {
    Set<String> names = new HashSet<>();
    List<LintAttribute> attributes = element.attributes();
    String tag = "<" + element.name() + ">: ";
    for (int i = 0; i < attributes.size(); i++) {
      LintAttribute attribute = attributes.get(i);
      String name = attribute.name();
      int from = attribute.offset();
      int to = Math.max(from + 1, attribute.valueEnd() + 1);
      if (!attribute.kept()) {
        String message =
            String.format(
                Locale.ROOT,
                "%shas %d attributes, NCCL drops those behind the %dth, %s first",
                tag,
                attributes.size(),
                NcclXmlReader.MAX_ATTRIBUTES,
                name);
        findings.add(LintRule.TOO_MANY_ATTRIBUTES, from, to, message);
        return;
      }
      if (name.isEmpty()) {
        if (i + 1 < attributes.size()) {
          String message = tag + "more than one blank before an attribute";
          TextEdit edit = findings.edit(from - 1, from, "");
          findings.add(LintRule.EXTRA_BLANK, from - 1, from, message, edit);
        }
        continue;
      }
      if (!names.add(name)) {
        findings.add(LintRule.DUPLICATE_ATTRIBUTE, from, to, tag + name + " is a duplicate");
        continue;
      }
      Optional<String> since =
          kinds == Vocabulary.TOPOLOGY
              ? XmlVersions.since(element.name(), name, profile)
              : Optional.empty();
      if (since.isPresent()) {
        findings.add(
            LintRule.UNKNOWN_ATTRIBUTE,
            from,
            to,
            tag
                + name
                + " is not an attribute of NCCL "
                + profile
                + ", it came with "
                + since.get());
        continue;
      }
      boolean isNewer =
          kinds == Vocabulary.TOPOLOGY && XmlVersions.isRead(element.name(), name, profile);
      if (!isNewer && !kinds.isAttribute(element.name(), name)) {
        String expected = String.join(", ", kinds.attributesOf(element.name()));
        String message = "NCCL does not know the attribute " + name + ", expected one of ";
        findings.add(LintRule.UNKNOWN_ATTRIBUTE, from, to, tag + message + expected);
      }
      if (REFERENCE.matcher(attribute.value()).find()) {
        String message = tag + name + " has an entity in its value";
        findings.add(LintRule.CHARACTER_REFERENCE, from, to, message);
      }
    }
  }
}
