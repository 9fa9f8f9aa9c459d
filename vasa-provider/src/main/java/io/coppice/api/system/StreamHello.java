package io.coppice.api.system;

import java.util.UUID;

/// The first message of a stream of events: who sends it.
///
/// @param version of the software
/// @param boot id of the run of the provider; each start has another one
public record StreamHello(String version, UUID boot) {}
