package io.coppice.api.iscsi;

/// A session that could reach a unit.
///
/// @param isid 12 hex digits
/// @param portal `address:port` of ours
/// @param address `address:port` of the initiator
public record HoldingSession(String initiator, String isid, String portal, String address) {}
