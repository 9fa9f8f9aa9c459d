package io.coppice.vasa.volume;

/// A virtual machine in a list.
///
/// @param id that vCenter gave to it
/// @param key of the field that the list is sorted by, as [io.coppice.vasa.sort.SortKind] writes it
public record ListedMachine(String id, String key) {

  /// One of a list in the order of the ids.
  public static ListedMachine byId(String id) {
    return new ListedMachine(id, id);
  }
}
