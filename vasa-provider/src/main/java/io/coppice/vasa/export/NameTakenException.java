package io.coppice.vasa.export;

import java.util.UUID;

/// A name that something else of its kind has; nothing has changed.
public final class NameTakenException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  NameTakenException(String kind, String name, UUID other) {
    super(
        "expected a name that no other %s has, but '%s' is that of %s"
            .formatted(kind, name, other));
  }
}
