package io.coppice.admin.volume;

import io.coppice.admin.list.ListQuery;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.ToIntFunction;

/// Lists of virtual volumes or snapshots in order of creation, read from the database in parts.
final class VolumeRows {

  private VolumeRows() {}

  /// The rows of a choice.
  ///
  /// @param from the same choice from behind a place on
  /// @param part the first of a choice, at most so many
  /// @param number how many a choice has
  static <C> ListQuery.Rows<VirtualVolume> of(
      C choice,
      BiFunction<C, VolumeChoice.Place, C> from,
      BiFunction<C, Integer, List<VirtualVolume>> part,
      ToIntFunction<C> number) {
    return new ListQuery.Rows<>(
        (after, limit) ->
            part.apply(after == null ? choice : from.apply(choice, place(after)), limit),
        () -> number.applyAsInt(choice),
        VolumeRows::keyOf);
  }

  private static VolumeChoice.Place place(String cursor) {
    ListQuery.TimeKey key = ListQuery.TimeKey.parse(cursor);
    return new VolumeChoice.Place(key.time(), key.volume());
  }

  static String keyOf(VirtualVolume volume) {
    return ListQuery.key(volume.created(), volume.id());
  }
}
