package io.coppice.api.host;

import java.net.URI;

/// The fields that a person fills in to add this provider in vCenter.
///
/// @param passwordFile path of the file that has the password, on the machine of the provider
/// @param fingerprint SHA-256 of the last certificate of the chain that vCenter is shown
public record RegistrationForm(URI url, String user, String passwordFile, String fingerprint) {}
