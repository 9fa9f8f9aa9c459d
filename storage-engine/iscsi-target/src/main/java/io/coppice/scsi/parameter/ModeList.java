package io.coppice.scsi.parameter;

import io.coppice.scsi.cdb.Cdb;
import io.coppice.scsi.page.ModePages;
import io.coppice.scsi.sense.SenseData;
import java.nio.ByteBuffer;
import java.util.Optional;

/// The MODE SELECT parameter list (SPC-5 §7.5): pages that change the changeable values and nothing
/// else.
public sealed interface ModeList {

  int BLOCK_SIZE = 512;
  int DESCRIPTOR = 8;
  int LONG_DESCRIPTOR = 16;
  int SUBPAGE_FORMAT = 0x40; // SPF

  /// A list that we refuse.
  record Refused(SenseData sense) implements ModeList {}

  /// The values after the command.
  record Values(ModePages.Control control) implements ModeList {}

  /// Decodes `remaining()` bytes.
  ///
  /// @param blocks capacity of the unit
  /// @param now the values before
  static ModeList decode(ByteBuffer list, Cdb.ModeSelect cdb, long blocks, ModePages.Values now) {
    int length = cdb.parameterListLength();
    if (length == 0) {
      return new Values(now.control());
    }
    ByteBuffer from = list.slice();
    int header = cdb.ten() ? 8 : 4;
    if (Math.min(length, from.remaining()) < header) {
      return new Refused(SenseData.LIST_LENGTH_ERROR);
    }
    from.limit(Math.min(length, from.remaining()));
    boolean longLba = cdb.ten() && (from.get(4) & 0x01) != 0;
    int descriptor =
        cdb.ten() ? Short.toUnsignedInt(from.getShort(6)) : Byte.toUnsignedInt(from.get(3));
    if (descriptor != 0 && descriptor != (longLba ? LONG_DESCRIPTOR : DESCRIPTOR)) {
      return new Refused(SenseData.invalidParameter(cdb.ten() ? 6 : 3));
    }
    if (from.remaining() < header + descriptor) {
      return new Refused(SenseData.LIST_LENGTH_ERROR);
    }
    if (descriptor != 0 && !isOurs(from.slice(header, descriptor), blocks)) {
      return new Refused(SenseData.invalidParameter(header));
    }
    int at = header + descriptor;
    if (at < from.limit() && !cdb.pages()) {
      return new Refused(SenseData.invalidCdb(1));
    }
    return pages(from, at, now);
  }

  /// A block descriptor may only repeat what the medium is; 0 and all ones mean "as it is".
  private static boolean isOurs(ByteBuffer descriptor, long blocks) {
    boolean extended = descriptor.remaining() == LONG_DESCRIPTOR;
    long count = extended ? descriptor.getLong(0) : Integer.toUnsignedLong(descriptor.getInt(0));
    long size = extended ? descriptor.getInt(12) : descriptor.getInt(4) & 0xff_ffff;
    boolean same = count == blocks || count == 0 || count == (extended ? -1L : 0xffff_ffffL);
    return same && size == BLOCK_SIZE;
  }

  private static ModeList pages(ByteBuffer from, int start, ModePages.Values now) {
    ModePages.Control next = now.control();
    int at = start;
    while (at < from.limit()) {
      boolean hasSubpage = (from.get(at) & SUBPAGE_FORMAT) != 0;
      int header = hasSubpage ? 4 : 2;
      if (at + header > from.limit()) {
        return new Refused(SenseData.LIST_LENGTH_ERROR);
      }
      int subpage = hasSubpage ? Byte.toUnsignedInt(from.get(at + 1)) : 0;
      Optional<ByteBuffer> page =
          hasSubpage && subpage == 0
              ? Optional.empty()
              : ModePages.page(from.get(at) & 0x3f, subpage, now);
      if (page.isEmpty()) {
        return new Refused(SenseData.invalidParameter(at));
      }
      int length = page.get().remaining();
      int lengthField =
          hasSubpage
              ? Short.toUnsignedInt(from.getShort(at + 2))
              : Byte.toUnsignedInt(from.get(at + 1));
      if (lengthField != length - header) {
        return new Refused(SenseData.invalidParameter(at + header / 2));
      }
      if (at + length > from.limit()) {
        return new Refused(SenseData.LIST_LENGTH_ERROR);
      }
      ByteBuffer mask = ModePages.changeable(page.get());
      for (int i = header; i < length; i++) {
        if (((from.get(at + i) ^ page.get().get(i)) & ~mask.get(i)) != 0) {
          return new Refused(SenseData.invalidParameter(at + i));
        }
      }
      next = ModePages.changed(next, from.slice(at, length));
      at += length;
    }
    return new Values(next);
  }
}
