package io.coppice.vasa.audit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A field of an object that a call changed. In an entry it is a detail with the value before and
/// one with the value after, whose names begin with [#PREFIX]. So the form of an entry and the
/// bytes of its hash are those of all other details. Without a state before or after, as when an
/// object is made or deleted, all fields of the other state are details.
///
/// @param field as REST calls it
/// @param before null if it had no value, or the object was made
/// @param after null if it has no value, or the object is gone
public record FieldChange(String field, @Nullable String before, @Nullable String after) {

  /// Beginning of the names of details that are fields of the object.
  static final String PREFIX = "state.";

  /// The details of what differs between two states, in the order of their fields.
  ///
  /// @param before null if there is none or it is unknown
  /// @param after null if there is none or it is unknown
  static List<Detail> between(
      @Nullable Map<String, @Nullable String> before,
      @Nullable Map<String, @Nullable String> after) {
    Map<String, @Nullable String> from = before == null ? Map.of() : before;
    Map<String, @Nullable String> to = after == null ? Map.of() : after;
    Set<String> names = new LinkedHashSet<>(from.keySet());
    names.addAll(to.keySet());
    List<Detail> details = new ArrayList<>();
    for (String name : names) {
      if (!Objects.equals(from.get(name), to.get(name))) {
        if (before != null) {
          details.add(Detail.before(PREFIX + name, from.get(name)));
        }
        if (after != null) {
          details.add(Detail.after(PREFIX + name, to.get(name)));
        }
      }
    }
    return details;
  }

  /// Whether a detail of an entry is a part of such a change. In an entry about what was refused or
  /// failed, a state is only what was so before.
  public static boolean isPart(AuditRecord recorded, Detail detail) {
    return wasMade(recorded)
        && detail.part() != Detail.Part.ASKED
        && detail.name().startsWith(PREFIX);
  }

  private static boolean wasMade(AuditRecord recorded) {
    return recorded.outcome() == Outcome.DONE || recorded.outcome() == Outcome.ACCEPTED;
  }

  /// The changes in an entry; none in one from before fields had names.
  public static List<FieldChange> in(AuditRecord recorded) {
    Map<String, FieldChange> changes = new LinkedHashMap<>();
    for (Detail detail : recorded.details()) {
      if (isPart(recorded, detail)) {
        String field = detail.name().substring(PREFIX.length());
        FieldChange known =
            Objects.requireNonNullElse(changes.get(field), new FieldChange(field, null, null));
        changes.put(
            field,
            detail.part() == Detail.Part.BEFORE
                ? new FieldChange(field, detail.value(), known.after())
                : new FieldChange(field, known.before(), detail.value()));
      }
    }
    return List.copyOf(changes.values());
  }
}
