package io.coppice.admin;

import java.nio.file.Path;

/// The maker of support bundles in this process.
@FunctionalInterface
public interface SupportBundles {

  /// Gathers a bundle into a new file, which the caller deletes.
  ///
  /// @throws java.io.UncheckedIOException if it cannot be written, or a secret cannot be read,
  ///   which then could not be kept out
  Path make();
}
