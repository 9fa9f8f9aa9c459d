package io.coppice.vasa.inventory;

import io.coppice.vasa.fault.EchoedText;
import io.coppice.vasa.fault.VasaException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;

/// The forms of the identifiers that the inventory gives out: the type, a colon, and a name of that
/// type. No client can have a text of another form from here.
public final class EntityIds {

  private static final Pattern NAME = Pattern.compile("[!-~]{1,255}");

  /// The form of the part behind the colon.
  private enum Form {
    UUID_TEXT,
    NAME_TEXT
  }

  private static final Map<String, Form> FORMS =
      Map.of(
          "StorageArray", Form.UUID_TEXT,
          "StorageProcessor", Form.UUID_TEXT,
          "StoragePort", Form.NAME_TEXT,
          "StorageLun", Form.UUID_TEXT,
          "StorageFileSystem", Form.UUID_TEXT,
          "StorageCapability", Form.NAME_TEXT,
          "BackingStoragePool", Form.UUID_TEXT);

  private EntityIds() {}

  /// @param types `EntityTypeEnum` values; the identifier is of one of them
  /// @throws VasaException (InvalidArgument) if it has none of their forms
  public static void requireWellFormed(String id, List<String> types) {
    if (types.stream().noneMatch(type -> isWellFormed(id, type))) {
      throw VasaException.invalidArgument(
          "expected an identifier such as %s, got '%s'"
              .formatted(example(types.getFirst()), EchoedText.of(id)));
    }
  }

  /// Checks an identifier of one type, as [#requireWellFormed(String, List)] does.
  public static void requireWellFormed(String id, String type) {
    requireWellFormed(id, List.of(type));
  }

  private static boolean isWellFormed(String id, String type) {
    String prefix = type + ":";
    if (!id.regionMatches(true, 0, prefix, 0, prefix.length())) {
      return false;
    }
    String name = id.substring(prefix.length());
    return switch (form(type)) {
      case UUID_TEXT -> isUuid(name);
      case NAME_TEXT -> NAME.matcher(name).matches();
    };
  }

  private static Form form(String type) {
    Form form = FORMS.get(type);
    if (form == null) {
      throw new IllegalArgumentException("expected a type with identifiers, got " + type);
    }
    return form;
  }

  private static boolean isUuid(String text) {
    try {
      return UUID.fromString(text).toString().equals(text.toLowerCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static String example(String type) {
    return type + (form(type) == Form.UUID_TEXT ? ":<uuid>" : ":<name>");
  }
}
