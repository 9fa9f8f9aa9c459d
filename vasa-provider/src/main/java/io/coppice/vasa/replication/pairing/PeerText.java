package io.coppice.vasa.replication.pairing;

import io.coppice.replication.Cycle;
import io.coppice.replication.PoolName;
import io.coppice.vasa.fault.VasaException;
import java.util.UUID;
import java.util.stream.Collectors;

/// Texts that another pool sent. They become lines of a record and stand in lists and sentences.
public final class PeerText {

  private static final int LONGEST_SHOWN = 300;

  private PeerText() {}

  /// A pool, as it says of itself who it is.
  ///
  /// @throws VasaException (InvalidArgument) if its name is blank, too long or no single line
  static PoolName pool(UUID id, String name) {
    if (name.isBlank()
        || name.length() > Cycle.MAX_NAME
        || name.chars().anyMatch(PeerText::breaksLines)) {
      throw VasaException.invalidArgument(
              "expected the other pool's name as one line of 1 to %d characters, got %s"
                  .formatted(Cycle.MAX_NAME, quoted(name)))
          .about("name");
    }
    return new PoolName(id, name);
  }

  /// A text between quotes, as [#line].
  public static String quoted(String text) {
    return "'" + line(text) + "'";
  }

  /// A text in one line and not long, whoever wrote it.
  public static String line(String text) {
    String begin = text.substring(0, Math.min(text.length(), LONGEST_SHOWN));
    String line =
        begin
            .chars()
            .mapToObj(each -> breaksLines(each) ? " " : Character.toString(each))
            .collect(Collectors.joining());
    return begin.length() < text.length() ? line + "…" : line;
  }

  private static boolean breaksLines(int each) {
    return Character.isISOControl(each)
        || Character.getType(each) == Character.LINE_SEPARATOR
        || Character.getType(each) == Character.PARAGRAPH_SEPARATOR;
  }
}
