package io.coppice.vasa.audit;

import org.jspecify.annotations.Nullable;

/// A named value of a call.
///
/// @param value null if the caller sent none, as in `{"maxIops": null}`; empty is another value
public record Detail(Part part, String name, @Nullable String value) {

  private static final int LONGEST_NAME = 128;
  private static final int LONGEST_VALUE = 1024;

  public Detail {
    name = AuditText.bounded(name, LONGEST_NAME);
    value = AuditText.orNull(value, LONGEST_VALUE);
  }

  /// The part of a call that a value belongs to.
  public enum Part {
    /// What the caller wanted.
    ASKED("asked"),
    /// What was so before the change.
    BEFORE("before"),
    /// What is so after it.
    AFTER("after");

    private final String text;

    Part(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }

    /// @throws IllegalArgumentException if it is the text of no part
    static Part parse(String text) {
      for (Part one : values()) {
        if (one.text.equals(text)) {
          return one;
        }
      }
      throw new IllegalArgumentException(
          "expected asked, before or after, got '%s'".formatted(text));
    }
  }

  public static Detail asked(String name, @Nullable String value) {
    return new Detail(Part.ASKED, name, value);
  }

  public static Detail before(String name, @Nullable String value) {
    return new Detail(Part.BEFORE, name, value);
  }

  public static Detail after(String name, @Nullable String value) {
    return new Detail(Part.AFTER, name, value);
  }
}
