package io.coppice.api.system;

import java.net.URI;

/// The URLs of the provider.
public record Urls(URI vasa, URI management) {}
