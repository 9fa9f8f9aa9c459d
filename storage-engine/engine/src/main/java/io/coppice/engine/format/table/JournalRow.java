package io.coppice.engine.format.table;

import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.ByteSource;
import io.coppice.engine.format.FormatException;
import java.util.List;

/// The journal of a volume.
///
/// @param volume its number
/// @param lastMoment of its newest point, milliseconds since 1970
public record JournalRow(int volume, long lastMoment, List<Tier> tiers, List<Base> bases) {

  /// Least bytes of a row.
  static final int LEAST = 20;

  /// Numbers of a point: moment, age, slot, offset.
  public static final int POINT_FIELDS = 4;

  private static final int LEAST_TIER = 68;
  private static final int LOAN = 21;
  private static final int BASE = 12;

  /// A tier.
  ///
  /// @param number of its hidden volume
  /// @param lastCut age at which a point was due last
  /// @param listFrom offset of the first byte of the list that is here, a multiple of 4096
  /// @param writtenFrom offset of the list from which on it has the blocks that are not kept again
  /// @param loans its slots that the lists of other tiers reference
  /// @param closedAt moment at which it was given up, with slots that others need; 0: it was not
  /// @param points all of their numbers, one point after the other
  public record Tier(
      int number,
      int everySeconds,
      int keepSeconds,
      long nextSlot,
      long lastCut,
      long listFrom,
      byte[] list,
      long writtenFrom,
      List<Loan> loans,
      long closedAt,
      long[] points) {

    private void encode(ByteSink out) {
      out.u32(number).u32(everySeconds).u32(keepSeconds).u64(nextSlot).u64(lastCut);
      out.u64(listFrom).u32(list.length).bytes(list).u64(writtenFrom);
      out.list(loans, Loan::encode).u64(closedAt);
      out.u32(points.length / POINT_FIELDS);
      for (long field : points) {
        out.u64(field);
      }
    }

    private static Tier decode(ByteSource in) {
      int number = in.u32();
      int every = in.u32();
      int keep = in.u32();
      long nextSlot = in.u64();
      long lastCut = in.u64();
      long listFrom = in.u64();
      byte[] list = in.bytes(in.count(1));
      long writtenFrom = in.u64();
      List<Loan> loans = in.list(LOAN, Loan::decode);
      long closedAt = in.u64();
      long[] points = new long[in.count(8 * POINT_FIELDS) * POINT_FIELDS];
      for (int i = 0; i < points.length; i++) {
        points[i] = in.u64();
      }
      Tier tier =
          new Tier(
              number,
              every,
              keep,
              nextSlot,
              lastCut,
              listFrom,
              list,
              writtenFrom,
              loans,
              closedAt,
              points);
      tier.check();
      return tier;
    }

    private void check() {
      long end = listFrom + list.length;
      boolean right =
          everySeconds > 0
              && keepSeconds >= everySeconds
              && listFrom >= 0
              && listFrom % 4096 == 0
              && writtenFrom >= listFrom
              && writtenFrom <= end
              && loans.stream().allMatch(loan -> loan.isOf(nextSlot))
              && closedAt >= 0
              && points.length > 0;
      for (int at = 0; right && at < points.length; at += POINT_FIELDS) {
        long slot = points[at + 2];
        long offset = points[at + 3];
        right = slot >= 0 && slot <= nextSlot && offset >= 0 && offset <= end;
        if (right && at > 0) {
          right =
              points[at] > points[at - POINT_FIELDS]
                  && slot >= points[at + 2 - POINT_FIELDS]
                  && offset >= points[at + 3 - POINT_FIELDS];
        }
      }
      if (!right) {
        throw new FormatException(
            "expected a tier of a journal with points in order, found that of volume " + number);
      }
    }
  }

  /// Slots of a tier that the list of another one references.
  ///
  /// @param borrower the number of that tier's hidden volume
  /// @param begin the first of them
  /// @param end the slot behind the last of them
  /// @param growing whether the next slot that is lent to that tier belongs to them
  public record Loan(int borrower, long begin, long end, boolean growing) {

    private void encode(ByteSink out) {
      out.u32(borrower).u64(begin).u64(end).flag(growing);
    }

    private static Loan decode(ByteSource in) {
      return new Loan(in.u32(), in.u64(), in.u64(), in.flag());
    }

    private boolean isOf(long nextSlot) {
      return begin >= 0 && begin < end && end <= nextSlot;
    }
  }

  /// The content before a revert.
  ///
  /// @param number of its hidden volume
  public record Base(long moment, int number) {}

  void encode(ByteSink out) {
    out.u32(volume).u64(lastMoment);
    out.list(tiers, Tier::encode);
    out.list(bases, (base, to) -> to.u64(base.moment).u32(base.number));
  }

  static JournalRow decode(ByteSource in) {
    return new JournalRow(
        in.u32(),
        in.u64(),
        in.list(LEAST_TIER, Tier::decode),
        in.list(BASE, each -> new Base(each.u64(), each.u32())));
  }
}
