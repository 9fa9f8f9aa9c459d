package io.coppice.cli.output;

import io.coppice.cli.failure.CommandFailedException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/// A format that `-o` chooses.
public enum OutputFormat {
  TABLE,
  WIDE,
  JSON,
  YAML,
  NAME;

  /// @throws CommandFailedException if there is no such format
  public static OutputFormat parse(String text) {
    return Arrays.stream(values())
        .filter(one -> one.text().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                CommandFailedException.usage(
                    "expected -o %s, got '%s'",
                    Arrays.stream(values())
                        .map(OutputFormat::text)
                        .collect(Collectors.joining("|")),
                    text));
  }

  private String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
