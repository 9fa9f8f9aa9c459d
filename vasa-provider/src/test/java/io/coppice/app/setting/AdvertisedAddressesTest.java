package io.coppice.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Addresses by which others are told to reach this process.
class AdvertisedAddressesTest {

  private static AdvertisedAddresses reach(String... settings) {
    return new AdvertisedAddresses(SettingsReader.read(List.of(settings)));
  }

  @Test
  void aPortalThatListensEverywhereIsToldWithAnAddressOfThisMachine() throws Exception {
    List<String> told = reach().portals(List.of(new InetSocketAddress("::", 3260)));

    String host = told.getFirst().replaceFirst(":3260$", "");
    assertThat(told).hasSize(1);
    assertThat(InetAddress.ofLiteral(host.replaceAll("[\\[\\]]", "")))
        .satisfies(
            address -> {
              assertThat(address.isAnyLocalAddress()).isFalse();
              assertThat(NetworkInterface.getByInetAddress(address)).isNotNull();
            });
    assertThat(reach().vasa(8443, "/x")).hasToString("https://" + host + ":8443/x");
    assertThat(reach().management(9443, "/")).hasToString("https://" + host + ":9443/");
  }

  @Test
  void aNameThatIsSetCountsFirst() {
    AdvertisedAddresses reach = reach("--coppice.tls.names=storage.example,10.0.0.5");

    assertThat(reach.portals(List.of(new InetSocketAddress("0.0.0.0", 3260))))
        .containsExactly("storage.example:3260");
    assertThat(reach.vasa(8443, "/")).hasToString("https://storage.example:8443/");
    assertThat(reach("--coppice.tls.names=fd00::5").vasa(8443, "/"))
        .hasToString("https://[fd00::5]:8443/");
  }

  @Test
  void anAddressThatIsListenedAtIsTold() {
    AdvertisedAddresses reach =
        reach("--coppice.vasa.address=10.0.0.7", "--coppice.management.address=::1");

    assertThat(reach.vasa(8443, "/")).hasToString("https://10.0.0.7:8443/");
    assertThat(reach.management(9443, "/")).hasToString("https://[0:0:0:0:0:0:0:1]:9443/");
    assertThat(
            reach.portals(
                List.of(new InetSocketAddress("10.0.0.7", 1), new InetSocketAddress("::1", 2))))
        .containsExactly("10.0.0.7:1", "[0:0:0:0:0:0:0:1]:2");
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.5, 10.0.0.5:3261",
    "10.0.0.5:3270, 10.0.0.5:3270",
    "[fd00::1], [fd00::1]:3261",
    "[fd00::1]:3270, [fd00::1]:3270",
    "storage.example, storage.example:3261",
  })
  void anAdvertisedAddressIsToldWithItsPort(String advertised, String told) {
    AdvertisedAddresses reach = reach("--coppice.iscsi.advertise=" + advertised);

    assertThat(reach.portals(List.of(new InetSocketAddress("0.0.0.0", 3261))))
        .containsExactly(told);
  }
}
