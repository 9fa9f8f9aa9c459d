package io.coppice.admin;

import java.net.URI;
import java.util.List;
import java.util.function.Supplier;

/// Facts about this process and the addresses at which it is reached.
///
/// @param version of the software
/// @param vasa URL that vCenter is given
/// @param management URL of REST
/// @param portals `address:port` of the iSCSI portals
public record SystemFacts(
    String version, Supplier<URI> vasa, Supplier<URI> management, Supplier<List<String>> portals) {}
