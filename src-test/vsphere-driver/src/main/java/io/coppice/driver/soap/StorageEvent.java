package io.coppice.driver.soap;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An event. `vvolIds` is filled for a rebind event only.
public record StorageEvent(
    long id,
    String type,
    @Nullable String configType,
    @Nullable String objectType,
    @Nullable String objectId,
    @Nullable String arrayId,
    @Nullable String messageId,
    Map<String, String> parameters,
    List<String> vvolIds) {
  static StorageEvent of(Xml x) {
    return new StorageEvent(
        x.number("data:eventId"),
        x.required("data:eventType"),
        x.text("data:eventConfigType"),
        x.text("data:eventObjType"),
        x.text("data:objectId"),
        x.text("data:arrayId"),
        x.text("data:messageId"),
        Metadata.of(x, "data:parameterList"),
        x.texts("vvol:vvolId"));
  }
}
