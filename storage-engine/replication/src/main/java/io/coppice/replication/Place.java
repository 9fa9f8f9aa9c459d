package io.coppice.replication;

/// A place in the data of a cycle: everything before it has arrived.
///
/// @param member index in the list of members; their number at the end
/// @param offset in bytes, in that member
public record Place(int member, long offset) implements Comparable<Place> {

  public static final Place START = new Place(0, 0);

  /// @throws IllegalArgumentException if a component is negative
  public Place {
    if (member < 0 || offset < 0) {
      throw new IllegalArgumentException(
          "expected a place of non-negative member and offset, got %d and %d"
              .formatted(member, offset));
    }
  }

  @Override
  public int compareTo(Place other) {
    return member == other.member
        ? Long.compare(offset, other.offset)
        : Integer.compare(member, other.member);
  }
}
