package io.coppice.fuzz;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;

/// A target that is one pure function.
///
/// @param seeds in hex, blanks for the reader
/// @param tokens in hex
public record Decoder(
    String name,
    int lengthMax,
    Bounds bounds,
    List<byte[]> seeds,
    List<byte[]> tokens,
    Function<byte[], String> function)
    implements FuzzTarget {

  @Override
  public String run(byte[] input) {
    return function.apply(input);
  }

  /// Inputs written in hex, with blanks.
  public static List<byte[]> hex(String... texts) {
    return Arrays.stream(texts)
        .map(text -> HexFormat.of().parseHex(text.replace(" ", "")))
        .toList();
  }

  /// Fails as a finding.
  public static void check(boolean holds, String expected, Object got) {
    if (!holds) {
      throw new AssertionError("expected " + expected + ", got " + got);
    }
  }
}
