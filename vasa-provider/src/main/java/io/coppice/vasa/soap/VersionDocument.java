package io.coppice.vasa.soap;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;

/// The document `version.xml`: the versions of VASA that we speak, and their places. It is made
/// from a template, because its exact form is not public.
public final class VersionDocument extends HttpServlet {

  private static final long serialVersionUID = 1L;

  private static final Pattern PLACEHOLDER = Pattern.compile("\\{[\\w.-]+\\}");

  private final byte[] document;

  /// @param template text with placeholders
  /// @param values of the placeholders, by `{name}`; a line with another placeholder is left out
  public VersionDocument(String template, Map<String, String> values) {
    String text =
        template
            .lines()
            .map(line -> filled(line, values))
            .filter(line -> !PLACEHOLDER.matcher(line).find())
            .reduce("", (all, line) -> all + line + "\n");
    this.document = text.getBytes(StandardCharsets.UTF_8);
  }

  private static String filled(String line, Map<String, String> values) {
    String filled = line;
    for (Map.Entry<String, String> value : values.entrySet()) {
      filled = filled.replace("{" + value.getKey() + "}", value.getValue());
    }
    return filled;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setContentType("text/xml");
    response.setCharacterEncoding(StandardCharsets.UTF_8.name());
    response.getOutputStream().write(document);
  }
}
