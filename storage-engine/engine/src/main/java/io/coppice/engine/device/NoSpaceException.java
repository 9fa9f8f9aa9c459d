package io.coppice.engine.device;

import java.io.IOException;

/// The system's report that it has no space for a write (`ENOSPC`), or allows no more (`EDQUOT`).
final class NoSpaceException extends IOException {

  private static final long serialVersionUID = 1L;

  NoSpaceException(String message) {
    super(message);
  }
}
