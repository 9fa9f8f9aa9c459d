package io.coppice.admin.volume;

import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.vasa.sort.RowOrder;
import io.coppice.vasa.volume.VirtualVolume;
import java.util.List;
import java.util.function.ToIntFunction;

/// Lists of virtual volumes or snapshots, read from the database in parts.
final class VolumeRows {

  static final Orders<VirtualVolume> ORDERS =
      Orders.<VirtualVolume>ofIds("created", VirtualVolume::id)
          .time("created", VirtualVolume::created)
          .text("name", VmId::nameOf)
          .number("size", VirtualVolume::sizeInBytes);

  private VolumeRows() {}

  /// A reader of the first volumes of a choice in an order.
  @FunctionalInterface
  interface Part<C> {
    List<VirtualVolume> read(C choice, RowOrder order, int limit);
  }

  /// The rows of a choice.
  ///
  /// @param number how many a choice has
  static <C> ListQuery.Rows<VirtualVolume> of(C choice, Part<C> part, ToIntFunction<C> number) {
    return new ListQuery.Rows<>(
        (order, limit) -> part.read(choice, order, limit), () -> number.applyAsInt(choice), ORDERS);
  }
}
