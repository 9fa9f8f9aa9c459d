package io.coppice.house;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A line of a Markdown document.
///
/// @param number from 1 on
/// @param isCode whether it belongs to a fenced block of code
record MarkdownLine(int number, String text, boolean isCode) {

  private static final Pattern FENCE = Pattern.compile("\\s*(```|~~~).*");
  private static final Pattern HEADING = Pattern.compile("#{1,6}\\s+(.*?)(?:\\s+#+)?\\s*");
  private static final Pattern NAMED = Pattern.compile("<a (?:id|name)=\"([^\"]+)\"");

  static List<MarkdownLine> of(Path document) {
    List<MarkdownLine> lines = new ArrayList<>();
    boolean inBlock = false;
    for (String text : Repository.read(document).lines().toList()) {
      boolean isFence = FENCE.matcher(text).matches();
      lines.add(new MarkdownLine(lines.size() + 1, text, inBlock || isFence));
      inBlock = inBlock != isFence;
    }
    return lines;
  }

  /// Anchors that GitHub gives the headings of a document, and those that it names itself.
  static Set<String> anchors(Path document) {
    Set<String> anchors = new TreeSet<>();
    Map<String, Integer> seen = new HashMap<>();
    for (MarkdownLine line : of(document)) {
      Matcher heading = HEADING.matcher(line.text);
      if (!line.isCode && heading.matches()) {
        String anchor = anchor(heading.group(1));
        int before = seen.merge(anchor, 1, Integer::sum) - 1;
        anchors.add(before == 0 ? anchor : anchor + "-" + before);
      }
      Matcher named = NAMED.matcher(line.text);
      while (named.find()) {
        anchors.add(named.group(1));
      }
    }
    return anchors;
  }

  /// GitHub's rule: small letters, no punctuation but hyphens and underscores, hyphens for spaces.
  private static String anchor(String heading) {
    return heading
        .replaceAll("!?\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{M}\\p{N}_\\- ]", "")
        .replace(' ', '-');
  }

  int characters() {
    return text.codePointCount(0, text.length());
  }

  boolean isTable() {
    return text.stripLeading().startsWith("|");
  }

  /// Whether there is a space at which it can be broken, the one after a list's mark aside.
  boolean canBeBroken() {
    return text.strip().replaceFirst("^([-*>]|\\d+\\.)\\s+", "").contains(" ");
  }

  String withoutCodeSpans() {
    return text.replaceAll("`[^`]*`", "");
  }
}
