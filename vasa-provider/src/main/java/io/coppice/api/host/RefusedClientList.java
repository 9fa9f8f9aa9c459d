package io.coppice.api.host;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A part of the list of clients that were refused, and the trusted authorities.
///
/// @param next cursor of the part that follows; null at the end
/// @param total clients in the whole list, if asked for
/// @param trusted subjects of the authorities that are trusted now
public record RefusedClientList(
    List<RefusedClient> items,
    @Nullable String next,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer total,
    List<String> trusted) {}
