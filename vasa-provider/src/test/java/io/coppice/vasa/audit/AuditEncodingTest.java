package io.coppice.vasa.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// The bytes that are hashed: the same for ever, and never the same for two records.
class AuditEncodingTest {

  private static final AuditRecord RECORD =
      new AuditRecord(
          UUID.fromString("3f2b8c1e-5d47-4a0e-9b61-7c2d90e4f815"),
          Instant.parse("2026-11-26T10:00:00.000001Z"),
          Channel.REST,
          new Author("ops", "t", null, "::1"),
          "PUT /a",
          "",
          null,
          Outcome.REFUSED,
          "in-use",
          List.of(Detail.asked("n", "é"), Detail.before("n", null)));

  /// Written by hand from the table in [AuditEncoding].
  private static final String GOLDEN =
      "010000000d"
          + hex("coppice-audit")
          + "020000000000000001"
          + "0100000010"
          + hex("d97bbb4b22d51b8f")
          + "020000000000000003"
          + "0300000020"
          + "00".repeat(32)
          + "0100000024"
          + hex("3f2b8c1e-5d47-4a0e-9b61-7c2d90e4f815")
          + "02"
          + "%016x".formatted(1795687200000001L)
          + "0100000004"
          + hex("rest")
          + "0100000003"
          + hex("ops")
          + "0100000001"
          + hex("t")
          + "00"
          + "0100000003"
          + hex("::1")
          + "0100000006"
          + hex("PUT /a")
          + "0100000000"
          + "00"
          + "0100000007"
          + hex("refused")
          + "0100000006"
          + hex("in-use")
          + "0400000002"
          + "0400000003"
          + "0100000005"
          + hex("asked")
          + "0100000001"
          + hex("n")
          + "0100000002c3a9"
          + "0400000003"
          + "0100000006"
          + hex("before")
          + "0100000001"
          + hex("n")
          + "00";

  private static String hex(String ascii) {
    return HexFormat.of().formatHex(ascii.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
  }

  @Test
  void theBytesOfAnEntryStayTheSame() {
    assertThat(
            HexFormat.of()
                .formatHex(AuditEncoding.hashed(3, "d97bbb4b22d51b8f", ChainHash.NONE, RECORD)))
        .isEqualTo(GOLDEN);
  }

  /// Computed by another program: Python's hmac over the same bytes.
  @Test
  void theHashOfAnEntryStaysTheSame() {
    AuditKey key = AuditKey.of(AuditSite.key(7));
    assertThat(key.id() + " " + key.hash(3, ChainHash.NONE, RECORD))
        .isEqualTo(
            "d22f35c2cf869f5d "
                + "5f3031638c07a5b970776bb75783ada2e7f4b3fd57d78be9007158ffacf24889");
  }

  @Test
  void aRecordComesBackFromItsBytes() {
    assertThat(AuditEncoding.decode(AuditEncoding.encode(RECORD))).isEqualTo(RECORD);
  }

  @Test
  void recordsThatDifferHaveOtherBytes() {
    List<AuditRecord> all =
        List.of(
            RECORD,
            with(null, List.of()),
            with("", List.of()),
            with("ab", List.of(Detail.asked("a", "b"))),
            with("a", List.of(Detail.asked("ba", "b"))),
            with("a", List.of(Detail.asked("a", "b"), Detail.asked("c", "d"))),
            with("a", List.of(Detail.asked("a", "bc"), Detail.asked("", "d"))),
            with("a", List.of(Detail.asked("a", null))),
            with("a", List.of(Detail.asked("a", ""))),
            with("a", List.of(Detail.before("a", ""))));
    assertThat(all.stream().map(AuditEncoding::encode).map(HexFormat.of()::formatHex))
        .doesNotHaveDuplicates();
  }

  private static AuditRecord with(String object, List<Detail> details) {
    return new AuditRecord(
        RECORD.id(),
        RECORD.at(),
        RECORD.channel(),
        RECORD.author(),
        RECORD.action(),
        object,
        null,
        Outcome.DONE,
        null,
        details);
  }

  @Test
  void bytesThatAreNoRecordAreRefused() {
    byte[] good = AuditEncoding.encode(RECORD);
    for (int length = 0; length < good.length; length++) {
      byte[] part = Arrays.copyOf(good, length);
      assertThatThrownBy(() -> AuditEncoding.decode(part))
          .isInstanceOf(IllegalArgumentException.class);
    }
    byte[] more = Arrays.copyOf(good, good.length + 1);
    assertThatThrownBy(() -> AuditEncoding.decode(more))
        .isInstanceOf(IllegalArgumentException.class);
    Random random = new Random(82);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = good.clone();
      for (int j = 0; j <= random.nextInt(4); j++) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        assertThat(AuditEncoding.decode(bytes)).isNotNull();
      } catch (IllegalArgumentException e) {
        assertThat(e).isNotNull(); // refused, and by nothing else
      }
    }
  }

  @Test
  void whatIsTooLongIsCutOnceAndStaysSo() {
    String text = "é\uD83D\uDE00\uD800\u0000".repeat(1000);
    Detail detail = Detail.asked(text, text);
    assertThat(detail.value())
        .hasSizeLessThanOrEqualTo(1024)
        .endsWith("…")
        .doesNotContain("\u0000");
    assertThat(Detail.asked(detail.name(), detail.value())).isEqualTo(detail);
    AuditRecord many = with("a", java.util.Collections.nCopies(500, Detail.asked("a", "b")));
    assertThat(many.details()).hasSize(64).endsWith(Detail.asked("leftOut", "437"));
    assertThat(with("a", many.details()).details()).isEqualTo(many.details());
  }
}
