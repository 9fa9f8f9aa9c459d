package io.coppice.scsi.directory;

import io.coppice.scsi.directory.RefusedException.Reason;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/// The iSCSI names as the directory keeps them (RFC 7143 §4.2.7): lower case, at most 223 bytes, no
/// blanks, at most 64 of them together.
public final class InitiatorNames {

  /// Most names of one export or host.
  public static final int MOST = 64;

  private static final int MAX_BYTES = 223;

  private InitiatorNames() {}

  /// @throws RefusedException if one is no iSCSI name or there are too many
  public static SortedSet<String> all(Set<String> names) {
    if (names.size() > MOST) {
      throw new RefusedException(
          Reason.INVALID, "expected at most 64 initiators, got " + names.size());
    }
    SortedSet<String> all = new TreeSet<>();
    names.forEach(name -> all.add(one(name)));
    return all;
  }

  /// @throws RefusedException if it is no iSCSI name
  public static String one(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    boolean typed =
        lower.startsWith("iqn.") || lower.startsWith("eui.") || lower.startsWith("naa.");
    boolean plain = lower.chars().noneMatch(c -> Character.isWhitespace(c) || c < 0x20);
    if (!typed || !plain || lower.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
      throw new RefusedException(
          Reason.INVALID,
          "expected an iSCSI name such as iqn.1998-01.com.vmware:host, got: " + name);
    }
    return lower;
  }
}
