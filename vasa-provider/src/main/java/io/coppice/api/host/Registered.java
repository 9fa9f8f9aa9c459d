package io.coppice.api.host;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// The registration of a vCenter.
///
/// @param address the address that registered it
/// @param vcenters their ids
/// @param roots subjects of its authorities
/// @param hosts how many hosts belong to it
public record Registered(
    UUID id,
    Instant registered,
    String address,
    List<String> vcenters,
    List<String> roots,
    long hosts) {}
