package io.coppice.engine.state;

import io.coppice.engine.StorageException;
import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.PageImage;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.segment.PageContent;
import io.coppice.engine.segment.Pages;
import io.coppice.engine.segment.Segments;
import io.coppice.engine.segment.StoredPage;
import java.util.UUID;

/// The reader of stored pages of segments. It verifies that each is the one that the tables name,
/// and that its content is possible. Safe for any thread.
final class StoredPages implements Pages.Source {

  private final MetadataReads reads;
  private final UUID pool;
  private final Segments segments;

  StoredPages(MetadataReads reads, UUID pool, Segments segments) {
    this.reads = reads;
    this.pool = pool;
    this.segments = segments;
  }

  @Override
  public PageContent read(int segment, StoredPage at) {
    long address = at.address();
    String what = "the page of segment %d at %s".formatted(segment, BlockAddress.describe(address));
    long offset = segments.offsetOf(address);
    if (offset < 0) {
      throw new StorageException.Damaged("Expected %s, found no such segment.".formatted(what));
    }
    try {
      return reads.read(
          what,
          offset,
          AlignedBuffers.allocate(BlockAddress.blocks(address) * PoolLayout.BLOCK),
          bytes -> {
            PageImage image =
                PageImage.decode(bytes, pool, address, at.crc(), segment, segments.blocksPerZone());
            checkPlaces(image);
            return PageContent.of(image, at);
          });
    } catch (DeviceException e) {
      throw new StorageException.DeviceFailed(
          "Could not read %s: %s".formatted(what, e.getMessage()), e);
    } catch (FormatException e) {
      throw new StorageException.Damaged("A page of a segment is damaged: " + e.getMessage());
    }
  }

  private void checkPlaces(PageImage image) {
    long end = (long) segments.zones() * segments.blocksPerZone();
    for (long place : image.places()) {
      if (place < 0 || place >= end) {
        throw new FormatException(
            "expected a place below %d for a block of segment %d, found %d"
                .formatted(end, image.segment(), place));
      }
    }
  }
}
