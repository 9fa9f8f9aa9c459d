package io.coppice.api.iscsi;

import java.util.List;
import java.util.Map;

/// The state of the iSCSI target.
///
/// @param logins sessions opened since the start
/// @param redirects logins sent to another portal since the start
/// @param violations since the start, by kind
public record IscsiState(
    List<IscsiPortal> portals, long logins, long redirects, Map<String, Long> violations) {}
