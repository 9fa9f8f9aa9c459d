package io.coppice.api.system;

import org.jspecify.annotations.Nullable;

/// An object that an event is about, in the stream of events: whoever shows it reads it again.
///
/// @param type such as `Volume`; the description of REST lists all
/// @param change `New`, `Update` or `Delete`; null if the event is no change of the object
public record ChangedObject(String type, String id, @Nullable String change) {}
