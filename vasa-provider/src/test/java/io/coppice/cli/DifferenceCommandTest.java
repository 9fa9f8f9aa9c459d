package io.coppice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The commands about differences: parts become one list and one picture.
class DifferenceCommandTest {

  private static final String DISK = "11111111-2222-4333-8444-555555555555";
  private static final String OLD = "aaaaaaaa-2222-4333-8444-555555555555";
  private static final String PAIR = "of=%s&since=%s".formatted(DISK, OLD);

  @TempDir private Path folder;
  private ScriptedServer server;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void start() throws Exception {
    server = new ScriptedServer(folder);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private int run(String... args) throws Exception {
    return ScriptedClient.run(server, folder, out, err, args);
  }

  private static String text(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }

  @Test
  void allPartsAreOneList() throws Exception {
    server
        .when(
            "GET /differences?" + PAIR + "&limit=1000",
            200,
            """
            {"items": [{"offset": 0, "length": 4096}], "next": "abc", "size": 1048576,
             "sinceSize": 1048576}
            """)
        .when(
            "GET /differences?" + PAIR + "&limit=1000&cursor=abc",
            200,
            """
            {"items": [{"offset": 65536, "length": 8192}], "next": null, "size": 1048576,
             "sinceSize": 1048576}
            """);

    assertThat(run("difference", "list", DISK, "--since", OLD)).as(text(err)).isZero();

    assertThat(text(out)).contains("OFFSET", "LENGTH", "4096", "65536", "8192");
  }

  @Test
  void thePartsOfAMapAreAdded() throws Exception {
    String cells = "&cells=4";
    server
        .when(
            "GET /differences/map?" + PAIR + cells,
            200,
            """
            {"cells": [262144, 4096, 0, 0], "bytes": 266240, "next": "abc", "size": 1048576,
             "sinceSize": 1048576}
            """)
        .when(
            "GET /differences/map?" + PAIR + cells + "&cursor=abc",
            200,
            """
            {"cells": [0, 126976, 0, 8192], "bytes": 135168, "next": null, "size": 1048576,
             "sinceSize": 1048576}
            """);

    assertThat(run("difference", "map", DISK, "--since", OLD, "--cells", "4"))
        .as(text(err))
        .isZero();

    assertThat(text(out)).isEqualTo("|@= .|\n");
    assertThat(text(err)).contains("392.0 KiB of 1.0 MiB differ");
    out.reset();
    assertThat(run("difference", "map", DISK, "--since", OLD, "--cells", "4", "-o", "json"))
        .isZero();
    assertThat(text(out)).contains("131072", "401408").doesNotContain("abc");
  }
}
