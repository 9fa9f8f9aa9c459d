package io.coppice.vasa.export;

import io.coppice.scsi.directory.Export;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// An export as it was when its volume was deleted.
///
/// @param lun its number
record KeptExport(int lun, boolean readOnly, ExportAudience audience) {

  private static final String WRITABLE = "rw";
  private static final String READ_ONLY = "ro";

  static KeptExport of(Export export, ExportAudience audience) {
    return new KeptExport(export.lun(), export.readOnly(), audience);
  }

  /// As the pool keeps it: the number, `rw` or `ro`, then initiators, hosts and groups, each with
  /// commas between. Between these five is a space.
  String text() {
    return "%d %s %s %s %s"
        .formatted(
            lun,
            readOnly ? READ_ONLY : WRITABLE,
            list(audience.initiators()),
            list(audience.hosts()),
            list(audience.groups()));
  }

  private static String list(Collection<?> some) {
    return some.stream().map(Object::toString).collect(Collectors.joining(","));
  }

  /// The opposite of [#text]; empty if the text is none of this form.
  static Optional<KeptExport> parse(String text) {
    String[] parts = text.split(" ", -1);
    if (parts.length != 5 || !(parts[1].equals(WRITABLE) || parts[1].equals(READ_ONLY))) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new KeptExport(
              Integer.parseInt(parts[0]),
              parts[1].equals(READ_ONLY),
              new ExportAudience(elements(parts[2]).toList(), ids(parts[3]), ids(parts[4]))));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static List<UUID> ids(String list) {
    return elements(list).map(UUID::fromString).toList();
  }

  private static Stream<String> elements(String list) {
    return list.isEmpty() ? Stream.empty() : Stream.of(list.split(",", -1));
  }
}
