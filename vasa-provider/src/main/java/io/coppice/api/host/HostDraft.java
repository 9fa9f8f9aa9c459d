package io.coppice.api.host;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A host as a client makes or changes it; in a change null leaves a field as it is.
///
/// @param initiators iSCSI names, 1 to 64
public record HostDraft(@Nullable String name, @Nullable List<String> initiators) {}
