package io.coppice.vasa.approval;

import java.util.UUID;

/// A person who asks or approves.
///
/// @param account that the person proved to own; equal for all ways in which that can be done
/// @param name as people know it
public record Approver(UUID account, String name) {}
