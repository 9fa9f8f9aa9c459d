package io.coppice.api.iscsi;

/// A portal of the target.
///
/// @param number its name in the API, counted from 1 in the order of the settings
/// @param address `address:port`, as initiators learn it
/// @param draining whether logins are sent to other portals and sessions are asked to leave
/// @param sessions that are still there
/// @param away sessions that this portal has sent to others and that belong here
public record IscsiPortal(int number, String address, boolean draining, int sessions, int away) {}
