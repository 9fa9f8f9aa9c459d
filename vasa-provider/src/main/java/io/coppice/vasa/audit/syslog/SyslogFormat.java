package io.coppice.vasa.audit.syslog;

import io.coppice.vasa.audit.AuditEntry;
import io.coppice.vasa.audit.AuditRecord;
import io.coppice.vasa.audit.Detail;
import io.coppice.vasa.audit.Outcome;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The form of an entry as a message of syslog (RFC 5424), at most so many bytes long.
///
/// The structured data has what programs need: number, hash, channel and outcome whole, the rest
/// cut to [#LONGEST_VALUE] bytes each. The text repeats it for people and adds the details, as far
/// as there is room. Its name has an enterprise number, because names without one belong to IANA
/// (RFC 5424 §6.3.2, 7).
final class SyslogFormat {

  private static final int LOG_AUDIT = 13; // facility (RFC 5424 §6.2.1)
  private static final int FACILITY = 8;
  private static final int ERROR = 3;
  private static final int WARNING = 4;
  private static final int NOTICE = 5;

  /// Bytes of a value, escaped.
  static final int LONGEST_VALUE = 96;

  private static final int LONGEST_HOST = 255;
  private static final String NIL = "-";
  private static final byte[] BOM = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private final String host;
  private final long process;
  private final long enterprise;
  private final int messageBytes;

  /// @param host name of this machine
  /// @param process id of this process
  SyslogFormat(String host, long process, SyslogSettings settings) {
    String printable = host.replaceAll("[^\\x21-\\x7e]", "");
    this.host =
        printable.isEmpty()
            ? NIL
            : printable.substring(0, Math.min(LONGEST_HOST, printable.length()));
    this.process = process;
    this.enterprise = settings.enterpriseNumber();
    this.messageBytes = settings.messageBytes();
  }

  /// The message, without its frame.
  byte[] message(AuditEntry entry) {
    AuditRecord recorded = entry.recorded();
    StringBuilder head = new StringBuilder();
    head.append('<').append(LOG_AUDIT * FACILITY + severity(recorded.outcome())).append(">1 ");
    head.append(recorded.at()).append(' ').append(host).append(" coppice ");
    head.append(process).append(" audit [coppice@").append(enterprise);
    add(head, "seq", Long.toString(entry.seq()));
    add(head, "hash", entry.hash().hex());
    add(head, "channel", recorded.channel().text());
    add(head, "outcome", recorded.outcome().text());
    add(head, "actor", recorded.author().account());
    add(head, "action", recorded.action());
    add(head, "object", recorded.object());
    add(head, "code", recorded.code());
    add(head, "address", recorded.author().address());
    add(head, "certificate", recorded.author().certificate());
    add(head, "trace", recorded.trace());
    head.append("] ");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(head.toString().getBytes(StandardCharsets.UTF_8));
    int room = messageBytes - out.size() - BOM.length;
    if (room > 0) {
      out.writeBytes(BOM);
      out.writeBytes(cut(text(recorded), room).getBytes(StandardCharsets.UTF_8));
    }
    return out.toByteArray();
  }

  private static int severity(Outcome outcome) {
    return switch (outcome) {
      case DONE, ACCEPTED -> NOTICE;
      case REFUSED -> WARNING;
      case FAILED -> ERROR;
    };
  }

  private static void add(StringBuilder to, String name, @Nullable String value) {
    if (value != null) {
      to.append(' ').append(name).append("=\"").append(escaped(value)).append('"');
    }
  }

  /// A value with `"`, `\` and `]` escaped (§6.3.3), cut between two characters.
  private static String escaped(String value) {
    StringBuilder escaped = new StringBuilder();
    int bytes = 0;
    for (int i = 0; i < value.length(); ) {
      String one = Character.toString(value.codePointAt(i));
      i += one.length();
      String written = "\"\\]".contains(one) ? "\\" + one : one;
      bytes += written.getBytes(StandardCharsets.UTF_8).length;
      if (bytes > LONGEST_VALUE) {
        break;
      }
      escaped.append(written);
    }
    return escaped.toString();
  }

  private static String text(AuditRecord recorded) {
    StringBuilder text = new StringBuilder();
    text.append(recorded.author().account()).append(": ").append(recorded.action());
    if (recorded.object() != null) {
      text.append(' ').append(recorded.object());
    }
    text.append(": ").append(recorded.outcome().text());
    if (recorded.code() != null) {
      text.append(" (").append(recorded.code()).append(')');
    }
    for (Detail detail : recorded.details()) {
      text.append(' ').append(detail.part().text()).append('.').append(detail.name());
      text.append('=').append(detail.value());
    }
    return text.toString();
  }

  /// As much of a text as fits into so many bytes.
  private static String cut(String text, int most) {
    int bytes = 0;
    for (int i = 0; i < text.length(); ) {
      String one = Character.toString(text.codePointAt(i));
      bytes += one.getBytes(StandardCharsets.UTF_8).length;
      if (bytes > most) {
        return text.substring(0, i);
      }
      i += one.length();
    }
    return text;
  }
}
