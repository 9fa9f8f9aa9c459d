package io.coppice.iscsi;

import java.net.InetSocketAddress;

/// The state of a portal at one moment.
///
/// @param number its name for [IscsiTarget#drain], counted from 1 in the order of the settings
/// @param address where it listens, with its real port
/// @param draining whether new logins are sent elsewhere and the sessions are asked to leave
/// @param sessions that are open or ending there, discovery sessions too
/// @param away sessions at other portals that came here first and were sent away by a drain
public record PortalState(
    int number, InetSocketAddress address, boolean draining, int sessions, int away) {}
