package io.coppice.iscsi.session;

import io.coppice.iscsi.login.LoginNames;
import io.coppice.iscsi.login.LoginRefusal;
import java.time.Instant;

/// Logins that ended without a session, all of one address with the same names and reason.
///
/// @param address of the initiator, without its port
/// @param portal `address:port` of ours that the last one reached
/// @param times how many there were, 1 and more
public record LoginFailure(
    String address,
    String portal,
    LoginNames names,
    LoginRefusal refusal,
    long times,
    Instant first,
    Instant last) {}
