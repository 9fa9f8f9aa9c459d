package io.coppice.vasa.soap.value;

import io.coppice.vasa.fault.EchoedText;
import io.coppice.vasa.fault.VasaException;
import io.coppice.wsdl.data.NameValuePair;
import jakarta.xml.bind.JAXBElement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Small steps between stubs and values. Absent and nil are the same (contract: "accept nil as
/// absent").
public final class Xml {

  private static final io.coppice.wsdl.data.ObjectFactory DATA =
      new io.coppice.wsdl.data.ObjectFactory();

  private Xml() {}

  /// The value of an optional element; null if it is absent or nil.
  public static <T> @Nullable T value(@Nullable JAXBElement<T> element) {
    return element == null || element.isNil() ? null : element.getValue();
  }

  /// The [#value] without white space around it; blank is taken as absent.
  public static @Nullable String text(@Nullable JAXBElement<String> element) {
    String text = value(element);
    return text == null || text.isBlank() ? null : text.strip();
  }

  /// A mandatory argument.
  ///
  /// @throws VasaException (InvalidArgument) if it is absent or blank
  public static String required(@Nullable String value, String name) {
    if (value == null || value.isBlank()) {
      throw VasaException.invalidArgument("expected a " + name + ", got none");
    }
    return value.strip();
  }

  /// A list whose elements are all there.
  ///
  /// @throws VasaException (InvalidArgument) if one is nil
  public static <T> List<T> all(@Nullable List<T> values, String name) {
    if (values == null) {
      return List.of();
    }
    for (T value : values) {
      if (value == null) {
        throw VasaException.invalidArgument("expected no nil among " + name + ", got one");
      }
    }
    return List.copyOf(values);
  }

  /// The part of a client's text that answers and logs repeat.
  public static String shortened(@Nullable String text) {
    return EchoedText.of(String.valueOf(text));
  }

  public static OffsetDateTime time(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }

  public static NameValuePair pair(String name, String value) {
    var pair = new NameValuePair();
    pair.setParameterName(DATA.createNameValuePairParameterName(name));
    pair.setParameterValue(DATA.createNameValuePairParameterValue(value));
    return pair;
  }

  public static List<NameValuePair> pairs(Map<String, String> parameters) {
    return parameters.entrySet().stream().map(e -> pair(e.getKey(), e.getValue())).toList();
  }

  /// As [#pairs], in the order of their names.
  public static List<NameValuePair> sortedPairs(Map<String, String> parameters) {
    return pairs(new TreeMap<>(parameters));
  }
}
