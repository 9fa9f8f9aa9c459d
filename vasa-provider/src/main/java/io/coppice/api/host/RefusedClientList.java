package io.coppice.api.host;

import java.util.List;

/// The clients that were refused, and the trusted authorities.
///
/// @param items the last one first
/// @param trusted subjects of the authorities that are trusted now
public record RefusedClientList(List<RefusedClient> items, List<String> trusted) {}
