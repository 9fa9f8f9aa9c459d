package io.coppice.api;

import org.jspecify.annotations.Nullable;

/// RFC 9457 §3, Members of a Problem Details Object, with extension members of our own.
///
/// | Component | Meaning |
/// |---|---|
/// | `type` | `urn:coppice:problem:` and the code |
/// | `detail` | one sentence: what was expected and what came |
/// | `code` | stable, for programs |
/// | `target` | field, id or path that it is about |
/// | `traceId` | stands in the log too; null in a job, which has its own id |
public record Problem(
    String type,
    String title,
    int status,
    String detail,
    String code,
    @Nullable String target,
    @Nullable String traceId) {}
