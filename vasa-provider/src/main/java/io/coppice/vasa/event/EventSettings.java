package io.coppice.vasa.event;

/// @param kept events and alarms kept
/// @param perReply most in one reply
public record EventSettings(int kept, int perReply) {

  public EventSettings {
    if (kept < 100 || kept > 10_000_000) {
      throw new IllegalArgumentException(
          "coppice.vasa.events.kept: expected 100 to 10000000, got " + kept);
    }
    if (perReply < 1 || perReply > 10_000) {
      throw new IllegalArgumentException(
          "coppice.vasa.events.per-reply: expected 1 to 10000, got " + perReply);
    }
  }
}
