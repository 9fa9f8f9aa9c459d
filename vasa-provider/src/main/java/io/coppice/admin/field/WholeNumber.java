package io.coppice.admin.field;

import java.math.BigDecimal;
import java.util.Objects;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.jdk.NumberDeserializers;
import tools.jackson.databind.deser.std.StdScalarDeserializer;

/// Whole numbers of a body. As in JSON Schema, `5.0` is the number 5; `5.5` and `"5"` are refused.
public final class WholeNumber<T extends Number> extends StdScalarDeserializer<T> {

  private static final long serialVersionUID = 1L;

  private static final int MOST_DIGITS = 19;

  private final Class<T> type;
  private final boolean wide;

  /// @param type `Long` or `Integer`
  public WholeNumber(Class<T> type) {
    super(type);
    this.type = type;
    wide = type == Long.class;
  }

  @Override
  public T deserialize(JsonParser parser, DeserializationContext context) {
    if (parser.currentToken() == JsonToken.VALUE_NUMBER_FLOAT) {
      BigDecimal exact = parser.getDecimalValue();
      if (isWhole(exact)) {
        return type.cast(wide ? (Number) exact.longValueExact() : (Number) exact.intValueExact());
      }
    }
    var usual = Objects.requireNonNull(NumberDeserializers.find(type));
    return type.cast(usual.deserialize(parser, context));
  }

  /// Whether the type can hold it. A number with a huge exponent is never written out for this.
  private boolean isWhole(BigDecimal exact) {
    if (exact.precision() - (long) exact.scale() > MOST_DIGITS) {
      return false;
    }
    try {
      long whole = exact.longValueExact();
      return wide || whole == (int) whole;
    } catch (ArithmeticException e) {
      return false;
    }
  }
}
