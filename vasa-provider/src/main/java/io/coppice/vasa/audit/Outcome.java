package io.coppice.vasa.audit;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The end of a call, as its caller was told.
public enum Outcome {
  /// The change was made.
  DONE("done"),
  /// The change was begun; a job or a task ends it.
  ACCEPTED("accepted"),
  /// Nothing was changed, for a reason that lies with the caller or the object.
  REFUSED("refused"),
  /// The provider failed; the change may have been made or not.
  FAILED("failed");

  private final String text;

  Outcome(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }

  /// The outcome of a text.
  public static Optional<Outcome> parse(String text) {
    return Arrays.stream(values()).filter(one -> one.text.equals(text)).findFirst();
  }

  /// The outcome of an answer of HTTP.
  ///
  /// @param status 200 to 599
  public static Outcome ofStatus(int status) {
    if (status < 400) {
      return status == 202 ? ACCEPTED : DONE;
    }
    return status < 500 || status == 503 ? REFUSED : FAILED;
  }

  public static List<String> texts() {
    return Arrays.stream(values()).map(Outcome::text).toList();
  }
}
