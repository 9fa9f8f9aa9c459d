package io.coppice.it;

import io.coppice.driver.soap.ClientOptions;
import io.coppice.harness.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// A provider on a fresh pool and a site registered with it, for all tests of a class: started
/// before the first and ended after the last, with all that they leave.
final class SharedSite implements BeforeAllCallback, AfterAllCallback {

  private final String[] settings;
  private @Nullable Path folder;
  private @Nullable RunningProvider provider;
  private @Nullable RegisteredSite site;

  /// @param settings of the provider, beside those that it needs to run at all
  SharedSite(String... settings) {
    this.settings = settings;
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    Path made = Files.createTempDirectory("coppice-it");
    folder = made;
    RunningProvider started = RunningProvider.start(made, settings);
    provider = started;
    site = new RegisteredSite(started, ClientOptions.defaults());
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    if (site != null) {
      site.close();
    }
    if (provider != null) {
      provider.close();
    }
    if (folder != null) {
      Folders.delete(folder);
    }
  }

  RegisteredSite site() {
    return Objects.requireNonNull(site, "the site is there from the first test to the last");
  }

  RunningProvider provider() {
    return site().provider();
  }
}
