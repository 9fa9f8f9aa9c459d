package io.coppice.driver.soap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/// Envelopes and their packaging, both ways.
final class Message {
  private static final String XOP = "http://www.w3.org/2004/08/xop/include";
  private static final String BOUNDARY = "driver-part-7f3a9c12";
  private static final Pattern PARAMETER =
      Pattern.compile("boundary=\"?([^\";]+)\"?", Pattern.CASE_INSENSITIVE);

  private Message() {}

  /// An envelope around `body`, which may be empty.
  static String envelope(boolean soap12, String body) {
    StringBuilder text = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    text.append("<s:Envelope xmlns:s=\"")
        .append(soap12 ? Namespaces.SOAP_12 : Namespaces.SOAP_11)
        .append('"');
    Namespaces.BY_PREFIX.forEach(
        (prefix, uri) ->
            text.append(" xmlns:").append(prefix).append("=\"").append(uri).append('"'));
    text.append('>');
    text.append(body.isEmpty() ? "<s:Body/>" : "<s:Body>" + body + "</s:Body>");
    return text.append("</s:Envelope>").toString();
  }

  /// The content type of a request, with the action where SOAP 1.2 wants it.
  static String contentType(ClientOptions options, String action) {
    String root = options.soap12() ? "application/soap+xml" : "text/xml";
    String tail = options.soap12() ? "; action=\"" + action + "\"" : "";
    if (!options.mtom()) {
      return root + "; charset=utf-8" + tail;
    }
    return "multipart/related; type=\"application/xop+xml\"; start=\"<root@driver>\";"
        + " start-info=\"%s\"; boundary=\"%s\"%s".formatted(root, BOUNDARY, tail);
  }

  static byte[] pack(ClientOptions options, String action, String envelope) {
    if (!options.mtom()) {
      return envelope.getBytes(StandardCharsets.UTF_8);
    }
    String root = options.soap12() ? "application/soap+xml" : "text/xml";
    String inner = options.soap12() ? root + "; action=\\\"" + action + "\\\"" : root;
    String packed =
        "--%s\r\nContent-Type: application/xop+xml; charset=UTF-8; type=\"%s\"\r\n"
                .formatted(BOUNDARY, inner)
            + "Content-Transfer-Encoding: binary\r\nContent-ID: <root@driver>\r\n\r\n"
            + envelope
            + "\r\n--%s--\r\n".formatted(BOUNDARY);
    return packed.getBytes(StandardCharsets.UTF_8);
  }

  /// The document of a reply, plain or packaged; included parts are put in as base64.
  static Document read(String contentType, byte[] bytes) throws SAXException, IOException {
    if (!contentType.toLowerCase(Locale.ROOT).startsWith("multipart/related")) {
      return Xml.parse(bytes);
    }
    Matcher boundary = PARAMETER.matcher(contentType);
    if (!boundary.find()) {
      throw new IOException("expected a boundary in \"" + contentType + "\"");
    }
    List<Part> parts = parts(bytes, boundary.group(1));
    if (parts.isEmpty()) {
      throw new IOException("expected a part in a packaged reply, got none");
    }
    Document document = Xml.parse(bytesOf(parts.getFirst().body()));
    include(document, parts);
    return document;
  }

  /// A part; ISO 8859-1 keeps each byte of `body` as one character.
  private record Part(@Nullable String id, String body) {}

  private static List<Part> parts(byte[] bytes, String boundary) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    List<Part> parts = new ArrayList<>();
    String[] pieces = text.split("(?:^|\r\n)--" + Pattern.quote(boundary), -1);
    for (int i = 1; i < pieces.length; i++) {
      int head = pieces[i].indexOf("\r\n\r\n");
      if (head >= 0 && !pieces[i].startsWith("--")) {
        Matcher id =
            Pattern.compile("Content-ID:\\s*<([^>]+)>", Pattern.CASE_INSENSITIVE)
                .matcher(pieces[i].substring(0, head));
        parts.add(new Part(id.find() ? id.group(1) : null, pieces[i].substring(head + 4)));
      }
    }
    return parts;
  }

  private static void include(Document document, List<Part> parts) throws IOException {
    NodeList includes = document.getElementsByTagNameNS(XOP, "Include");
    while (includes.getLength() > 0) {
      Element include = (Element) includes.item(0);
      String id = include.getAttribute("href").replaceFirst("^cid:", "");
      Part part =
          parts.stream()
              .filter(each -> id.equals(each.id()))
              .findFirst()
              .orElseThrow(() -> new IOException("expected a part " + id + ", got none"));
      String base64 = Base64.getEncoder().encodeToString(bytesOf(part.body()));
      include.getParentNode().setTextContent(base64);
    }
  }

  private static byte[] bytesOf(String body) {
    return body.getBytes(StandardCharsets.ISO_8859_1);
  }
}
