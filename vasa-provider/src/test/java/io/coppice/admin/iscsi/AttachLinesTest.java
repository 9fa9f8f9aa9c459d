package io.coppice.admin.iscsi;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.api.iscsi.AttachCommands;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The lines that make a host see a unit, and that nothing in them is more to a shell than text.
class AttachLinesTest {

  private static final String TARGET = "iqn.2026-11.com.example:array:lun";
  private static final String NAA = "naa.6c0ffee0123456789abcdef012345678";
  private static final String HOSTILE = "a'; touch /tmp/x; $(id) `id` \\ \" & | > # *";

  private static AttachCommands commands(String target, String... portals) {
    return new AttachLines(target, List.of(portals), List.of(NAA)).commands();
  }

  @Test
  void aLinuxHostAsksEachPortalAndLooksForTheDisk() {
    assertThat(commands(TARGET, "192.0.2.10:3260", "[fd00::1]:3260").linux())
        .containsExactly(
            "iscsiadm -m discovery -t sendtargets -p 192.0.2.10:3260",
            "iscsiadm -m discovery -t sendtargets -p '[fd00::1]:3260'",
            "iscsiadm -m node -T iqn.2026-11.com.example:array:lun --login",
            "iscsiadm -m session --rescan",
            "ls -l /dev/disk/by-id/wwn-0x6c0ffee0123456789abcdef012345678");
  }

  @Test
  void anEsxiHostAsksEachPortal() {
    assertThat(commands(TARGET, "192.0.2.10:3260").esxi())
        .endsWith(
            "esxcli iscsi adapter discovery sendtarget add -A $A -a 192.0.2.10:3260",
            "esxcli storage core adapter rescan -A $A",
            "esxcli storage core device list -d " + NAA);
  }

  @Test
  void proxmoxHasOneStorageForAllExports() {
    assertThat(commands(TARGET, "192.0.2.10:3260", "192.0.2.11:3260").proxmox())
        .containsExactly(
            "pvesm add iscsi coppice --portal 192.0.2.10:3260"
                + " --target iqn.2026-11.com.example:array:lun --content images",
            "pvesm list coppice | grep 6c0ffee0123456789abcdef012345678");
  }

  @Test
  void windowsGetsAddressAndPortApartAndFindsTheDiskByItsName() {
    assertThat(commands(TARGET, "192.0.2.10:3260", "[fd00::1]:3261").windows())
        .containsExactly(
            "Set-Service -Name MSiSCSI -StartupType Automatic",
            "Start-Service -Name MSiSCSI",
            "New-IscsiTargetPortal -TargetPortalAddress '192.0.2.10' -TargetPortalPortNumber '3260'",
            "New-IscsiTargetPortal -TargetPortalAddress 'fd00::1' -TargetPortalPortNumber '3261'",
            "Connect-IscsiTarget -NodeAddress 'iqn.2026-11.com.example:array:lun' -IsPersistent $true",
            "Update-HostStorageCache",
            "Get-Disk | Where-Object UniqueId -eq '6C0FFEE0123456789ABCDEF012345678'");
  }

  @Test
  void hostileNamesStayInTheirQuotes() {
    AttachCommands all = commands(HOSTILE, HOSTILE + ":3260");

    assertThat(all.linux())
        .contains("iscsiadm -m node -T " + ShellQuotes.posix(HOSTILE) + " --login");
    assertThat(all.windows())
        .contains(
            "Connect-IscsiTarget -NodeAddress 'a''; touch /tmp/x; $(id) `id` \\ \" & | > # *'"
                + " -IsPersistent $true");
  }

  @Test
  void powershellTakesCurlyQuotesForQuotes() {
    assertThat(ShellQuotes.powershell("a\u2019b'c\u201a"))
        .isEqualTo("'a\u2019\u2019b''c\u201a\u201a'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plain",
        "",
        " ",
        "it's",
        "''",
        "$HOME",
        "$(id)",
        "`id`",
        "a\\",
        "a\nb",
        "~",
        "[fd00::1]:3260",
        "*",
        "!x",
        HOSTILE
      })
  void aShellTakesQuotedTextAsOneWord(String text) throws IOException, InterruptedException {
    Process shell =
        new ProcessBuilder("sh", "-c", "printf '%s|' " + ShellQuotes.posix(text))
            .redirectErrorStream(true)
            .start();

    String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(shell.waitFor()).as(said).isZero();
    assertThat(said).isEqualTo(text + "|");
  }
}
