package io.coppice.cli.rest;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The body of an answer, and the tag of the object in it.
///
/// @param body a null node for an empty one
/// @param tag with its quotes; null if the answer has none
public record Tagged(JsonNode body, @Nullable String tag) {}
