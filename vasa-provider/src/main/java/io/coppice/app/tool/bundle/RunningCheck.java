package io.coppice.app.tool.bundle;

import java.io.IOException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The report about the content of a pool that a provider has open: what its scrubber knows. The
/// checker reads a pool that nobody writes, so there is no newer report of it than this.
final class RunningCheck {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private RunningCheck() {}

  /// @throws IOException if the provider does not say
  static String lines(Answers provider) throws IOException {
    try {
      return lines(JSON.readTree(provider.ask("/api/v1/scrub")));
    } catch (JacksonException e) {
      throw new IOException("the provider's answer is no JSON: " + e.getOriginalMessage(), e);
    }
  }

  private static String lines(JsonNode scrub) {
    StringBuilder lines = new StringBuilder();
    lines.append("The pool is open, so the checker did not read it. What the scrubber knows:\n");
    String started = scrub.path("lastStarted").asString("");
    String ended = scrub.path("lastEnded").asString("");
    if (started.isEmpty()) {
      lines.append("No pass has begun yet: nothing was verified.\n");
    } else if (scrub.path("running").asBoolean(false)) {
      lines.append(
          "A pass is under way since %s: %d %% done, %d bytes verified%s. %s\n"
              .formatted(
                  started,
                  scrub.path("percentDone").asInt(0),
                  scrub.path("bytesVerified").asLong(0),
                  scrub.path("paused").asBoolean(false) ? ", paused" : "",
                  ended.isEmpty()
                      ? "No pass has come to its end yet."
                      : "The one before ended at " + ended + "."));
    } else {
      lines.append(
          "The last pass began at %s and ended at %s: %d bytes verified.\n"
              .formatted(started, ended, scrub.path("bytesVerified").asLong(0)));
    }
    JsonNode findings = scrub.path("findings");
    lines.append(
        "Known damage now: %d blocks, %d findings%s\n"
            .formatted(
                scrub.path("badBlocks").asLong(0),
                findings.size(),
                findings.isEmpty() ? "." : ":"));
    for (JsonNode one : findings) {
      lines.append(
          "  %s %s%s\n"
              .formatted(
                  one.path("found").asString(""),
                  one.path("sentence").asString(""),
                  one.path("replaced").asBoolean(false) ? " (replaced)" : ""));
    }
    return lines
        .append(
            "The scrubber compares what is stored with its checksums. The relations between the")
        .append(
            " pool's structures are looked at by \"./coppice check\" alone, while nobody has it")
        .append(" open.\n")
        .toString();
  }
}
