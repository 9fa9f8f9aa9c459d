package io.coppice.vasa.task;

import io.coppice.engine.VolumeId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One run of a VASA operation that answers with a task.
///
/// @param id free text, unique for good
/// @param name the operation's name
/// @param volume the virtual volume that it works on or makes, of several the first; null for none
public record VasaTask(
    String id, String name, @Nullable VolumeId volume, Instant started, TaskState state) {}
