package io.coppice.admin.ui;

import io.swagger.v3.oas.annotations.Hidden;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// The page that shows the web UI. It is the same at each of its paths: what is shown there is up
/// to its script. It needs no login, since the login is a part of it.
@Hidden
@RestController
final class UiPage {

  private static final String MISSING =
      """
      This build has no web UI: it was made without Node.js. Install Node.js 20.19 or newer, then \
      run ./coppice build.
      """;

  private final @Nullable String page;

  UiPage() throws IOException {
    var built = new ClassPathResource("ui/index.html");
    page = built.exists() ? built.getContentAsString(StandardCharsets.UTF_8) : null;
  }

  /// 200 and the page; 404 and one sentence if the build has none.
  @GetMapping({"/", "/ui", "/ui/", "/ui/{*path}"})
  ResponseEntity<String> page() {
    String built = page;
    return built == null
        ? ResponseEntity.status(HttpStatus.NOT_FOUND)
            .contentType(new MediaType(MediaType.TEXT_PLAIN, StandardCharsets.UTF_8))
            .body(MISSING)
        : ResponseEntity.ok()
            .contentType(new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8))
            .cacheControl(CacheControl.noCache())
            .body(built);
  }
}
