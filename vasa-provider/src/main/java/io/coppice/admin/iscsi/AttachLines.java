package io.coppice.admin.iscsi;

import static io.coppice.admin.iscsi.ShellQuotes.posix;
import static io.coppice.admin.iscsi.ShellQuotes.powershell;

import io.coppice.api.iscsi.AttachCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Lines for shells of hosts by which a host finds logical units of the target.
///
/// @param target its iSCSI name
/// @param portals `address:port`
/// @param units the names of the units, `naa.` and 32 hex digits
record AttachLines(String target, List<String> portals, List<String> units) {

  private static final String NAA = "naa.";

  /// The entry of the target in the storages of Proxmox VE. All exports share it.
  private static final String PROXMOX_STORAGE = "coppice";

  AttachCommands commands() {
    return new AttachCommands(linux(), esxi(), proxmox(), windows());
  }

  List<String> linux() {
    List<String> lines = new ArrayList<>();
    for (String portal : portals) {
      lines.add("iscsiadm -m discovery -t sendtargets -p " + posix(portal));
    }
    lines.add("iscsiadm -m node -T %s --login".formatted(posix(target)));
    lines.add("iscsiadm -m session --rescan");
    for (String unit : units) {
      lines.add("ls -l " + posix("/dev/disk/by-id/wwn-0x" + digits(unit)));
    }
    return lines;
  }

  List<String> esxi() {
    List<String> lines = new ArrayList<>();
    lines.add("A=$(esxcli iscsi adapter list | awk '/iscsi_vmk/ {print $1; exit}')");
    for (String portal : portals) {
      lines.add("esxcli iscsi adapter discovery sendtarget add -A $A -a " + posix(portal));
    }
    lines.add("esxcli storage core adapter rescan -A $A");
    for (String unit : units) {
      lines.add("esxcli storage core device list -d " + posix(unit));
    }
    return lines;
  }

  /// Proxmox VE asks the portal that it is given for the others, and looks for new units whenever
  /// it lists.
  private List<String> proxmox() {
    List<String> lines = new ArrayList<>();
    portals.stream()
        .limit(1)
        .forEach(
            portal ->
                lines.add(
                    "pvesm add iscsi %s --portal %s --target %s --content images"
                        .formatted(PROXMOX_STORAGE, posix(portal), posix(target))));
    for (String unit : units) {
      lines.add("pvesm list %s | grep %s".formatted(PROXMOX_STORAGE, posix(digits(unit))));
    }
    return lines;
  }

  /// One session only: without multipath I/O, Windows would show a disk for each.
  private List<String> windows() {
    List<String> lines = new ArrayList<>();
    lines.add("Set-Service -Name MSiSCSI -StartupType Automatic");
    lines.add("Start-Service -Name MSiSCSI");
    for (String portal : portals) {
      int colon = portal.lastIndexOf(':');
      String address = portal.substring(0, colon).replaceAll("^\\[|]$", "");
      lines.add(
          "New-IscsiTargetPortal -TargetPortalAddress %s -TargetPortalPortNumber %s"
              .formatted(powershell(address), powershell(portal.substring(colon + 1))));
    }
    lines.add(
        "Connect-IscsiTarget -NodeAddress %s -IsPersistent $true".formatted(powershell(target)));
    lines.add("Update-HostStorageCache");
    for (String unit : units) {
      String id = powershell(digits(unit).toUpperCase(Locale.ROOT));
      lines.add("Get-Disk | Where-Object UniqueId -eq " + id);
    }
    return lines;
  }

  private static String digits(String unit) {
    return unit.substring(NAA.length());
  }
}
