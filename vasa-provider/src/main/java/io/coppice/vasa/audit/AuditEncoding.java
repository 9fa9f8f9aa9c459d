package io.coppice.vasa.audit;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The bytes of a record, and those of an entry that its hash covers, in version 1.
///
/// Every value begins with a byte of its kind: 0 absent, 1 text, 2 number, 3 bytes, 4 list. Text
/// and bytes follow with their length, a list with the number of its elements, which are values;
/// each length is 4 bytes, a number 8, the highest byte first. So no two entries have the same
/// bytes, and what is absent differs from what is empty.
///
/// | What is hashed | Value |
/// |---|---|
/// | name of the form | text `coppice-audit` |
/// | version | number 1 |
/// | key | text, its id |
/// | seq | number |
/// | previous | bytes, 32 |
/// | record | the values below |
///
/// A record is: id (text), time (number, microseconds since 1970), channel, account, token,
/// certificate, address, action, object, trace, outcome, code (texts, or absent), and the list of
/// its details, each a list of part, name and value.
final class AuditEncoding {

  static final int VERSION = 1;

  private static final String FORM = "coppice-audit";

  private static final int ABSENT = 0;
  private static final int TEXT = 1;
  private static final int NUMBER = 2;
  private static final int BYTES = 3;
  private static final int LIST = 4;

  private static final int PARTS_OF_DETAIL = 3;

  private AuditEncoding() {}

  /// What the hash of an entry covers.
  static byte[] hashed(long seq, String key, ChainHash previous, AuditRecord recorded) {
    Writer out = new Writer();
    out.text(FORM);
    out.number(VERSION);
    out.text(key);
    out.number(seq);
    out.bytes(previous.bytes());
    write(recorded, out);
    return out.toBytes();
  }

  /// The record alone.
  static byte[] encode(AuditRecord recorded) {
    Writer out = new Writer();
    write(recorded, out);
    return out.toBytes();
  }

  private static void write(AuditRecord recorded, Writer out) {
    Author author = recorded.author();
    out.text(recorded.id().toString());
    out.number(ChronoUnit.MICROS.between(Instant.EPOCH, recorded.at()));
    out.text(recorded.channel().text());
    out.text(author.account());
    out.text(author.token());
    out.text(author.certificate());
    out.text(author.address());
    out.text(recorded.action());
    out.text(recorded.object());
    out.text(recorded.trace());
    out.text(recorded.outcome().text());
    out.text(recorded.code());
    out.list(recorded.details().size());
    for (Detail detail : recorded.details()) {
      out.list(PARTS_OF_DETAIL);
      out.text(detail.part().text());
      out.text(detail.name());
      out.text(detail.value());
    }
  }

  /// The record of bytes.
  ///
  /// @throws IllegalArgumentException if they are not those of [#encode]
  static AuditRecord decode(byte[] bytes) {
    Reader in = new Reader(ByteBuffer.wrap(bytes));
    UUID id = UUID.fromString(in.needText("id"));
    Instant at = in.time();
    Channel channel = Channel.parse(in.needText("channel"));
    Author author = new Author(in.needText("account"), in.text(), in.text(), in.text());
    String action = in.needText("action");
    String object = in.text();
    String trace = in.text();
    String outcome = in.needText("outcome");
    String code = in.text();
    List<Detail> details = new ArrayList<>();
    int count = in.list(AuditRecord.MOST_DETAILS);
    for (int i = 0; i < count; i++) {
      if (in.list(PARTS_OF_DETAIL) != PARTS_OF_DETAIL) {
        throw new IllegalArgumentException("expected a detail of three parts");
      }
      details.add(
          new Detail(
              Detail.Part.parse(in.needText("part")), in.needText("name of a detail"), in.text()));
    }
    in.end();
    return new AuditRecord(
        id,
        at,
        channel,
        author,
        action,
        object,
        trace,
        Outcome.parse(outcome)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "expected one of %s, got '%s'".formatted(Outcome.texts(), outcome))),
        code,
        details);
  }

  private static final class Writer {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    void text(@Nullable String text) {
      if (text == null) {
        out.write(ABSENT);
      } else {
        sized(TEXT, text.getBytes(StandardCharsets.UTF_8));
      }
    }

    void bytes(byte[] bytes) {
      sized(BYTES, bytes);
    }

    private void sized(int kind, byte[] bytes) {
      out.write(kind);
      out.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
      out.writeBytes(bytes);
    }

    void number(long number) {
      out.write(NUMBER);
      out.writeBytes(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
    }

    void list(int count) {
      out.write(LIST);
      out.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(count).array());
    }

    byte[] toBytes() {
      return out.toByteArray();
    }
  }

  private record Reader(ByteBuffer in) {

    private int kind() {
      need(1);
      return in.get();
    }

    private void need(int bytes) {
      if (bytes < 0 || in.remaining() < bytes) {
        throw new IllegalArgumentException(
            "expected %d more bytes of a record, got %d".formatted(bytes, in.remaining()));
      }
    }

    @Nullable String text() {
      int kind = kind();
      if (kind == ABSENT) {
        return null;
      }
      expect(TEXT, kind);
      byte[] bytes = new byte[length()];
      in.get(bytes);
      try {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      } catch (CharacterCodingException e) {
        throw new IllegalArgumentException("expected a text in UTF-8", e);
      }
    }

    private int length() {
      need(Integer.BYTES);
      int length = in.getInt();
      need(length);
      return length;
    }

    String needText(String what) {
      return Objects.requireNonNullElseGet(
          text(),
          () -> {
            throw new IllegalArgumentException("expected a text as %s, got none".formatted(what));
          });
    }

    Instant time() {
      expect(NUMBER, kind());
      need(Long.BYTES);
      return Instant.EPOCH.plus(in.getLong(), ChronoUnit.MICROS);
    }

    int list(int most) {
      expect(LIST, kind());
      need(Integer.BYTES);
      int count = in.getInt();
      if (count < 0 || count > most) {
        throw new IllegalArgumentException(
            "expected a list of at most %d, got one of %d".formatted(most, count));
      }
      return count;
    }

    private static void expect(int wanted, int kind) {
      if (kind != wanted) {
        throw new IllegalArgumentException(
            "expected a value of kind %d, got %d".formatted(wanted, kind));
      }
    }

    void end() {
      if (in.hasRemaining()) {
        throw new IllegalArgumentException(
            "expected the end of a record, got %d more bytes".formatted(in.remaining()));
      }
    }
  }
}
