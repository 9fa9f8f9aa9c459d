package io.coppice.admin.event;

import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.engine.VolumeId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The object that a stream has figures of.
sealed interface FigureSubject {

  /// Most of them in one stream.
  int MOST = 32;

  /// A comma belongs to an id unless another object follows it: a host may give a virtual machine
  /// any id.
  Pattern BETWEEN = Pattern.compile(",(?=system(?:,|$)|vm:|volume:)");

  Pattern ID = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  /// The whole array.
  record OfSystem() implements FigureSubject {
    @Override
    public String text() {
      return "system";
    }
  }

  /// A virtual machine.
  record OfMachine(String id) implements FigureSubject {
    @Override
    public String text() {
      return "vm:" + id;
    }
  }

  /// A plain volume or a vVol.
  record OfVolume(VolumeId id) implements FigureSubject {
    @Override
    public String text() {
      return "volume:" + id;
    }
  }

  /// The object in the words of a request.
  String text();

  /// @param figures such as `system,vm:ID,volume:ID`; null for none
  /// @throws RequestRejectedException if something is not as above, comes twice, or there are too
  ///   many
  static List<FigureSubject> parse(@Nullable String figures) {
    if (figures == null) {
      return List.of();
    }
    String[] given = BETWEEN.split(figures, -1);
    if (given.length > MOST) {
      throw refusal("at most %d objects".formatted(MOST), "" + given.length);
    }
    Set<FigureSubject> subjects = new LinkedHashSet<>();
    for (String one : given) {
      if (!subjects.add(subject(one))) {
        throw refusal("each object once", one + " twice");
      }
    }
    return List.copyOf(subjects);
  }

  private static FigureSubject subject(String text) {
    if (text.equals("system")) {
      return new OfSystem();
    }
    if (text.startsWith("vm:") && text.length() > "vm:".length()) {
      return new OfMachine(text.substring("vm:".length()));
    }
    String id = text.startsWith("volume:") ? text.substring("volume:".length()) : "";
    if (!ID.matcher(id).matches()) {
      throw refusal("system, vm:ID or volume:ID, with commas", text);
    }
    return new OfVolume(new VolumeId(UUID.fromString(id)));
  }

  private static RequestRejectedException refusal(String expected, String got) {
    return RequestRejectedException.field(
        "figures", "expected %s, got '%s'".formatted(expected, got));
  }
}
