package io.coppice.vasa.binding;

import java.util.Optional;

/// The reason that a host binds or unbinds (VASA 2.0 BindContextEnum, UnbindContextEnum).
public enum BindContext {
  /// The host begins to use a virtual volume, or ends to.
  NORMAL("Normal"),
  /// The host answers a rebind event: it asks for the new place, or gives up the former one.
  REBIND_START("RebindStart"),
  /// The host has moved, and gives up the former place. For unbinds only.
  REBIND_END("RebindEnd");

  private final String wireName;

  BindContext(String wireName) {
    this.wireName = wireName;
  }

  public String wireName() {
    return wireName;
  }

  /// The context of a name; empty if there is none.
  public static Optional<BindContext> ofWireName(String name) {
    for (BindContext context : values()) {
      if (context.wireName.equals(name)) {
        return Optional.of(context);
      }
    }
    return Optional.empty();
  }
}
