package io.coppice.scsi;

import static io.coppice.scsi.Fixture.LUN_0;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.scsi.Initiator.Reply;
import io.coppice.scsi.transport.ScsiStatus;
import java.util.HexFormat;

/// PERSISTENT RESERVE commands in short, and what tests expect of them.
final class PersistentReserve {

  static final int REGISTER = 0;
  static final int RESERVE = 1;
  static final int RELEASE = 2;
  static final int CLEAR = 3;
  static final int PREEMPT = 4;
  static final int PREEMPT_AND_ABORT = 5;
  static final int IGNORE = 6;
  static final int WRITE_EXCLUSIVE = 1;
  static final int EXCLUSIVE_ACCESS = 3;
  static final int REGISTRANTS_ONLY = 5;
  static final int ALL_REGISTRANTS = 8;
  static final int APTPL = 1;

  private PersistentReserve() {}

  static Reply out(Initiator from, int action, int type, long key, long serviceKey) {
    return out(from, action, type, key, serviceKey, 0);
  }

  static Reply out(Initiator from, int action, int type, long key, long serviceKey, int flags) {
    return out(from, LUN_0, action, type, key, serviceKey, flags);
  }

  static Reply out(
      Initiator from, String lun, int action, int type, long key, long serviceKey, int flags) {
    String list = "%016x%016x00000000%02x000000".formatted(key, serviceKey, flags);
    return from.send(
        lun,
        "5f %02x %02x 0000 00000018 00".formatted(action, type),
        HexFormat.of().parseHex(list));
  }

  static String keys(Initiator from) {
    return in(from, 0);
  }

  static String in(Initiator from, int action) {
    return from.send(LUN_0, "5e %02x 00 00 00 00 00 2000 00".formatted(action)).hex();
  }

  static ScsiStatus expected(boolean served) {
    return served ? ScsiStatus.GOOD : ScsiStatus.RESERVATION_CONFLICT;
  }

  static void assertGood(Reply reply) {
    assertThat(reply.status()).as(reply.code()).isEqualTo(ScsiStatus.GOOD);
  }

  static void assertConflict(Reply reply) {
    assertThat(reply.status()).as(reply.code()).isEqualTo(ScsiStatus.RESERVATION_CONFLICT);
  }
}
