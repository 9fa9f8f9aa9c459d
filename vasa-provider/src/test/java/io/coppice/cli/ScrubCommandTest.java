package io.coppice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The map of what the scrubber has verified, as text.
class ScrubCommandTest {

  @TempDir private Path folder;

  @Test
  void aMapIsALineOfSignsWithALegend() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    try (ScriptedServer server = new ScriptedServer(folder)) {
      server.when(
          "GET /scrub/map?cells=7",
          200,
          """
          {"zones": 14, "zoneBytes": 16777216, "unplaced": 1, "cells": [
            {"state": "verified", "findings": 1}, {"state": "running", "findings": 0},
            {"state": "earlier", "findings": 0}, {"state": "waiting", "findings": 0},
            {"state": "damaged", "findings": 2}, {"state": "free", "findings": 0},
            {"state": "of another version", "findings": 0}]}
          """);

      assertThat(ScriptedClient.run(server, folder, out, err, "scrub", "map", "--cells", "7"))
          .as(err.toString(StandardCharsets.UTF_8))
          .isZero();
    }

    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            """
            |=>-.X ?|
            'X' damaged: 1
            '>' being verified: 1
            '.' not verified yet: 1
            '-' verified by the pass before: 1
            '=' verified: 1
            ' ' free: 1
            """);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("14 zones of 16.0 MiB, 4 findings, 1 of them in no cell");
  }
}
