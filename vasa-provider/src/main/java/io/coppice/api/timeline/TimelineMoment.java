package io.coppice.api.timeline;

import java.time.Instant;

/// A moment that a volume or virtual machine can go back to.
public record TimelineMoment(Instant moment) {}
