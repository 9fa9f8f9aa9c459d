package io.coppice.vasa.soap.value;

import io.coppice.vasa.fault.VasaException;
import io.coppice.wsdl.data.NameValuePair;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Metadata pairs on the wire.
///
/// @param put pairs with a value
/// @param remove keys without one
public record Metadata(Map<String, String> put, Set<String> remove) {

  /// Pairs that must be there. The last pair of a key counts.
  ///
  /// @throws VasaException (InvalidArgument) if there is no pair, or one without a key
  public static Metadata required(@Nullable List<NameValuePair> pairs) {
    if (pairs == null || pairs.isEmpty()) {
      throw VasaException.invalidArgument("expected at least one pair of metadata, got none");
    }
    return of(pairs);
  }

  public static Metadata of(List<NameValuePair> pairs) {
    Map<String, String> put = new LinkedHashMap<>();
    Set<String> remove = new LinkedHashSet<>();
    for (NameValuePair pair : pairs) {
      String key = Xml.value(pair.getParameterName());
      if (key == null || key.isEmpty()) {
        throw VasaException.invalidArgument("expected a key in each pair of metadata, got none");
      }
      String value = Xml.value(pair.getParameterValue());
      if (value == null) {
        put.remove(key);
        remove.add(key);
      } else {
        remove.remove(key);
        put.put(key, value);
      }
    }
    return new Metadata(put, remove);
  }
}
