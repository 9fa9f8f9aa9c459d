package io.coppice.admin.edition;

import io.coppice.admin.problem.RequestRejectedException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The tags of a header `If-Match` or `If-None-Match` (RFC 9110 §13.1.1 and §13.1.2).
///
/// @param text as it was sent
/// @param any whether it is `*`
/// @param strong tags with their quotes, without the weak ones
record TagList(String text, boolean any, List<String> strong) {

  private static final int LONGEST_SHOWN = 200;

  /// A tag or nothing, up to the comma or the end. The tag is in group 2, `W/` before it in 1.
  private static final Pattern ELEMENT =
      Pattern.compile("\\G[ \\t]*(?:(W/)?(\"[!#-~]*\"))?[ \\t]*(?:,|$)");

  /// The tags of a request; empty if it has no such header.
  ///
  /// @throws RequestRejectedException if the header is neither `*` nor a list of tags
  static Optional<TagList> of(HttpServletRequest request, String header) {
    List<String> lines = Collections.list(request.getHeaders(header));
    return lines.isEmpty()
        ? Optional.empty()
        : Optional.of(parse(header, String.join(", ", lines).strip()));
  }

  private static TagList parse(String header, String text) {
    if (text.equals("*")) {
      return new TagList(text, true, List.of());
    }
    List<String> strong = new ArrayList<>();
    int tags = 0;
    int end = 0;
    for (Matcher element = ELEMENT.matcher(text); end < text.length() && element.find(); ) {
      end = element.end();
      if (element.group(2) != null) {
        tags++;
        if (element.group(1) == null) {
          strong.add(element.group(2));
        }
      }
    }
    if (tags == 0 || end < text.length()) {
      throw RequestRejectedException.field(
          header,
          "expected * or tags in quotes as an ETag has them, with commas between, got %s"
              .formatted(shown(text)));
    }
    return new TagList(shown(text), false, List.copyOf(strong));
  }

  private static String shown(String text) {
    return text.length() > LONGEST_SHOWN ? text.substring(0, LONGEST_SHOWN) + "…" : text;
  }
}
