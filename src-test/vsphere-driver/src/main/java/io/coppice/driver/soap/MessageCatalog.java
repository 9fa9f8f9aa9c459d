package io.coppice.driver.soap;

import org.jspecify.annotations.Nullable;

/// The place of a provider's texts of its messages.
public record MessageCatalog(
    @Nullable String name,
    @Nullable String uri,
    @Nullable String version,
    @Nullable String locale,
    @Nullable String moduleName) {
  static MessageCatalog of(Xml x) {
    return new MessageCatalog(
        x.text("data:catalogName"),
        x.text("data:catalogUri"),
        x.text("data:catalogVersion"),
        x.text("data:locale"),
        x.text("data:moduleName"));
  }
}
