package io.coppice.admin.volume;

import io.coppice.admin.list.ListQuery;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.ToIntFunction;

/// A list of virtual volumes or snapshots in order of creation, read from the database in parts.
///
/// @param choice what is in the list
/// @param from the same choice from behind a place on
/// @param part the first of a choice, at most so many
/// @param number how many a choice has
record VolumeRows<C>(
    C choice,
    BiFunction<C, VolumeChoice.Place, C> from,
    BiFunction<C, Integer, List<VirtualVolume>> part,
    ToIntFunction<C> number)
    implements ListQuery.Rows<VirtualVolume> {

  @Override
  public List<VirtualVolume> first(int limit) {
    return part.apply(choice, limit);
  }

  @Override
  public List<VirtualVolume> after(String cursor, int limit) {
    ListQuery.TimeKey key = ListQuery.TimeKey.parse(cursor);
    VolumeChoice.Place place = new VolumeChoice.Place(key.time(), key.volume());
    return part.apply(from.apply(choice, place), limit);
  }

  @Override
  public int count() {
    return number.applyAsInt(choice);
  }

  @Override
  public String key(VirtualVolume volume) {
    return keyOf(volume);
  }

  static String keyOf(VirtualVolume volume) {
    return ListQuery.key(volume.created(), volume.id());
  }
}
