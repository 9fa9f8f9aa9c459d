package io.coppice.cli.profile;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The provider that a command talks to.
///
/// @param url of its management port, without a path
/// @param token where its token is
/// @param root file with the root certificate that is trusted, in PEM; null for those of the JDK
/// @param name of its profile, or what else it was found by
public record Provider(URI url, TokenSource token, @Nullable Path root, String name) {}
