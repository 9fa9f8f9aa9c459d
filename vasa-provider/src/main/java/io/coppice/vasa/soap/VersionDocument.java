package io.coppice.vasa.soap;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// `version.xml`: which versions of VASA we speak and where. Made from a template, because its
/// exact form is not public.
public final class VersionDocument extends HttpServlet {

  private static final long serialVersionUID = 1L;

  private final byte[] document;

  /// @param template text with `{service}` for the service path
  /// @param announceVersion3 whether lines with the id 3.0 stay
  public VersionDocument(String template, String servicePath, boolean announceVersion3) {
    String text =
        template
            .lines()
            .filter(line -> announceVersion3 || !line.contains("id=\"3.0\""))
            .reduce("", (all, line) -> all + line + "\n")
            .replace("{service}", servicePath);
    this.document = text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setContentType("text/xml");
    response.setCharacterEncoding(StandardCharsets.UTF_8.name());
    response.getOutputStream().write(document);
  }
}
