package io.coppice.fuzz.sample;

import io.coppice.fuzz.Decoder;
import io.coppice.fuzz.FuzzTarget;
import java.util.List;

/// Fails for one input of 2^40: only who notices each right byte gets there.
public final class Maze {

  private Maze() {}

  public static List<FuzzTarget> targets() {
    return List.of(
        new Decoder(
            "maze",
            5,
            new FuzzTarget.Bounds(1 << 20, 0, 100, 0),
            List.of(new byte[5]),
            List.of(),
            Maze::enter));
  }

  private static String enter(byte[] input) {
    if (input.length == 5 && input[0] == 'c') {
      if (input[1] == 'o') {
        if (input[2] == 'p') {
          if (input[3] == 's') {
            if (input[4] == 'e') {
              throw new IllegalStateException("found");
            }
          }
        }
      }
    }
    return "";
  }
}
