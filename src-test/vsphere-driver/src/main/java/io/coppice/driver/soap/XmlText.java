package io.coppice.driver.soap;

import java.util.Collection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Writes elements as text, in the order of the calls. Names carry the prefixes of [Namespaces].
public final class XmlText {
  private final StringBuilder text = new StringBuilder();
  private final boolean absentAsNil;

  XmlText(boolean absentAsNil) {
    this.absentAsNil = absentAsNil;
  }

  /// An element with what `content` writes.
  public XmlText element(String name, Consumer<XmlText> content) {
    text.append('<').append(name).append('>');
    content.accept(this);
    text.append("</").append(name).append('>');
    return this;
  }

  /// An element with text.
  public XmlText text(String name, String value) {
    text.append('<').append(name).append('>');
    escape(value);
    text.append("</").append(name).append('>');
    return this;
  }

  public XmlText text(String name, long value) {
    return text(name, Long.toString(value));
  }

  public XmlText text(String name, boolean value) {
    return text(name, Boolean.toString(value));
  }

  /// An element with text and an `xsi:type`.
  XmlText typed(String name, String type, String value) {
    text.append('<').append(name).append(" xsi:type=\"").append(type).append("\">");
    escape(value);
    text.append("</").append(name).append('>');
    return this;
  }

  /// An element with an `xsi:type` and what `content` writes.
  XmlText typed(String name, String type, Consumer<XmlText> content) {
    text.append('<').append(name).append(" xsi:type=\"").append(type).append("\">");
    content.accept(this);
    text.append("</").append(name).append('>');
    return this;
  }

  /// One element for each value.
  public XmlText each(String name, Collection<String> values) {
    values.forEach(value -> text(name, value));
    return this;
  }

  /// An optional element: left out if `value` is null, or written as nil by a client of that habit.
  public XmlText optional(String name, @Nullable String value) {
    if (value != null) {
      return text(name, value);
    }
    return absent(name);
  }

  /// What stands for an absent nillable element.
  XmlText absent(String name) {
    if (absentAsNil) {
      text.append('<').append(name).append(" xsi:nil=\"true\"/>");
    }
    return this;
  }

  private void escape(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '<' -> text.append("&lt;");
        case '>' -> text.append("&gt;");
        case '&' -> text.append("&amp;");
        case '"' -> text.append("&quot;");
        case '\r' -> text.append("&#13;");
        default -> text.append(c);
      }
    }
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
