package io.coppice.engine.segment;

import io.coppice.engine.format.PageImage;
import org.jspecify.annotations.Nullable;

/// The content of a page: the live blocks of a segment of the log, and the places of its moved
/// blocks. It is that of a stored page, or as of the cut of a checkpoint. Never changed.
public final class PageContent {

  private final int segment;
  private final @Nullable StoredPage page;
  private final BlockSet alive;
  private final @Nullable RelocatedBlocks places;

  PageContent(int segment, BlockSet alive, @Nullable RelocatedBlocks places) {
    this(segment, null, alive, places);
  }

  private PageContent(
      int segment, @Nullable StoredPage page, BlockSet alive, @Nullable RelocatedBlocks places) {
    this.segment = segment;
    this.page = page;
    this.alive = alive;
    this.places = places;
  }

  /// The content of a stored page.
  ///
  /// @param page where it was stored; absent: it stands in the tables
  public static PageContent of(PageImage image, @Nullable StoredPage page) {
    BlockSet alive = BlockSet.of(image.alive());
    RelocatedBlocks places = null;
    int n = 0;
    for (int word = 0; word < image.moved().length; word++) {
      for (long left = image.moved()[word]; left != 0; left &= left - 1) {
        if (places == null) {
          places = new RelocatedBlocks(64 * image.moved().length);
        }
        places.set(64 * word + Long.numberOfTrailingZeros(left), image.places()[n++]);
      }
    }
    return new PageContent(
        image.segment(), page, alive.frozen(), places == null ? null : places.frozen());
  }

  int segment() {
    return segment;
  }

  /// Whether it was read from that page.
  boolean isOf(@Nullable StoredPage other) {
    return page != null && page.equals(other);
  }

  BlockSet alive() {
    return alive;
  }

  @Nullable RelocatedBlocks places() {
    return places;
  }

  /// The image as it is stored: dead blocks have no place.
  public PageImage image() {
    long[] words = alive.words();
    long[] moved = new long[words.length];
    int count = 0;
    for (int word = 0; places != null && word < words.length; word++) {
      for (long left = words[word]; left != 0; left &= left - 1) {
        if (places.of(64 * word + Long.numberOfTrailingZeros(left)) != RelocatedBlocks.HOME) {
          moved[word] |= Long.lowestOneBit(left);
          count++;
        }
      }
    }
    return new PageImage(segment, words, moved, placesOf(moved, count));
  }

  private long[] placesOf(long[] moved, int count) {
    long[] found = new long[count];
    int n = 0;
    for (int word = 0; places != null && word < moved.length; word++) {
      for (long left = moved[word]; left != 0; left &= left - 1) {
        found[n++] = places.of(64 * word + Long.numberOfTrailingZeros(left));
      }
    }
    return found;
  }

  /// Bytes of memory that it takes, about.
  long bytes() {
    return alive.bytes() + (places == null ? 0 : places.bytes());
  }
}
