package io.coppice.admin.field;

import java.nio.charset.StandardCharsets;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.jdk.StringDeserializer;
import tools.jackson.databind.deser.std.StdScalarDeserializer;

/// Text of a body as the database can keep it: without U+0000, and with whole characters only. No
/// number and no `true` is taken for a text.
public final class PlainText extends StdScalarDeserializer<String> {

  private static final long serialVersionUID = 1L;

  public PlainText() {
    super(String.class);
  }

  @Override
  public String deserialize(JsonParser parser, DeserializationContext context) {
    if (parser.currentToken() != JsonToken.VALUE_STRING) {
      return (String) context.handleUnexpectedToken(context.constructType(String.class), parser);
    }
    String text = StringDeserializer.instance.deserialize(parser, context);
    if (text != null && !isPlain(text)) {
      throw context.weirdStringException(text, String.class, "it has U+0000 or half a character");
    }
    return text;
  }

  public static boolean isPlain(String text) {
    return text.indexOf('\0') < 0 && StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }
}
