package io.coppice.app.port;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The removal of secrets from a body before it is written down.
///
/// Only bodies of UTF-8 text that claim no other encoding are written: in another encoding a secret
/// could stand where nobody looks for it.
final class Redaction {

  /// An opening tag of an element whose content is a secret, with any prefix, up to its name.
  private static final Pattern OPENING =
      Pattern.compile(
          "<(?:[^\\s<>/:]+:)?(?:providerPassword|password|sessionId)(?=[\\s/>])",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern ENCODING =
      Pattern.compile("(?:charset|encoding)\\s*=\\s*[\"']?([\\w.:-]+)", Pattern.CASE_INSENSITIVE);

  private static final Pattern TRANSFER =
      Pattern.compile("content-transfer-encoding\\s*:\\s*([\\w-]+)", Pattern.CASE_INSENSITIVE);

  private static final String CDATA = "<![CDATA[";
  private static final String COMMENT = "<!--";

  private Redaction() {}

  /// @return the text without its secrets, or a sentence on why it is left out
  static String of(byte[] body, @Nullable String contentType) {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    } catch (CharacterCodingException e) {
      return leftOut(body);
    }
    boolean plain =
        text.chars().allMatch(c -> c >= ' ' || c == '\t' || c == '\r' || c == '\n')
            && saysUtf8(contentType == null ? "" : contentType)
            && saysUtf8(text)
            && isTransferredAsItIs(text);
    return plain ? redacted(text) : leftOut(body);
  }

  private static String leftOut(byte[] body) {
    return "(%d bytes that are not plain UTF-8, left out)".formatted(body.length);
  }

  /// Whether no other encoding is named, even in a look-alike: better one body too few.
  private static boolean saysUtf8(String text) {
    Matcher named = ENCODING.matcher(text);
    while (named.find()) {
      String name = named.group(1).toUpperCase(Locale.ROOT);
      if (!name.equals("UTF-8") && !name.equals("US-ASCII")) {
        return false;
      }
    }
    return true;
  }

  /// Whether no part is encoded: the parts of a multipart body may be in Base64.
  private static boolean isTransferredAsItIs(String text) {
    Matcher named = TRANSFER.matcher(text);
    while (named.find()) {
      String name = named.group(1).toLowerCase(Locale.ROOT);
      if (!name.equals("binary") && !name.equals("8bit") && !name.equals("7bit")) {
        return false;
      }
    }
    return true;
  }

  private static String redacted(String text) {
    var result = new StringBuilder();
    Matcher opening = OPENING.matcher(text);
    int from = 0;
    while (opening.find(from)) {
      int content = endOfTag(text, opening.end());
      result.append(text, from, content);
      from = content;
      if (!text.startsWith("/>", content - 2)) {
        from = endOfContent(text, content);
        result.append("(redacted)");
      }
    }
    return result.append(text, from, text.length()).toString();
  }

  /// The place just after the `>` that ends a tag. An attribute's value may hold a `>` too. A tag
  /// holds no `<`, so a `<` ends the search before it.
  private static int endOfTag(String text, int from) {
    char quote = 0;
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '<') {
        return i;
      }
      if (quote != 0) {
        quote = c == quote ? 0 : quote;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '>') {
        return i + 1;
      }
    }
    return text.length();
  }

  /// The place of the closing tag of a secret, or the end of a text that lacks it. A closing tag in
  /// CDATA or in a comment does not count, and an element within belongs to the secret.
  private static int endOfContent(String text, int from) {
    int depth = 0;
    for (int i = text.indexOf('<', from); i >= 0; i = text.indexOf('<', i + 1)) {
      if (text.startsWith(CDATA, i)) {
        i = end(text, "]]>", i + CDATA.length());
      } else if (text.startsWith(COMMENT, i)) {
        i = end(text, "-->", i + COMMENT.length());
      } else if (text.startsWith("<?", i)) {
        i = end(text, "?>", i + 2);
      } else if (text.startsWith("</", i)) {
        if (depth-- == 0) {
          return i;
        }
      } else {
        int end = endOfTag(text, i + 1);
        depth += text.startsWith("/>", end - 2) ? 0 : 1;
        i = end - 1;
      }
      if (i >= text.length()) {
        break;
      }
    }
    return text.length();
  }

  /// The last character of `mark`, or the end of the text.
  private static int end(String text, String mark, int from) {
    int at = text.indexOf(mark, from);
    return at < 0 ? text.length() : at + mark.length() - 1;
  }
}
