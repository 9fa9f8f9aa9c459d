package io.coppice.api.iscsi;

import java.util.List;

/// Lines by which a host finds an export, ready to be copied.
///
/// @param linux for a shell of a Linux host
/// @param esxi for a shell of an ESXi host
/// @param proxmox for a shell of a host with Proxmox VE
/// @param windows for PowerShell
public record AttachCommands(
    List<String> linux, List<String> esxi, List<String> proxmox, List<String> windows) {}
