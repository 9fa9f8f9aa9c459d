package io.coppice.iscsi;

import static io.coppice.iscsi.ScriptedInitiator.NAME;
import static io.coppice.iscsi.ScriptedInitiator.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.iscsi.ScriptedInitiator.Received;
import io.coppice.iscsi.connection.PeerFault;
import io.coppice.iscsi.session.TargetNode;
import io.coppice.iscsi.setting.IscsiLimits;
import io.coppice.iscsi.testing.RamDisk;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Stages, names and keys of a login without authentication (RFC 7143 §6.3, §13).
class LoginTest {

  private static final String WHO = "InitiatorName=" + NAME;
  private static final String WHERE = "TargetName=" + TARGET;

  private final RamDisk disk = new RamDisk(TARGET, 1 << 20);
  private final TargetNode node = ScriptedInitiator.node(disk);
  private final ScriptedInitiator initiator = new ScriptedInitiator(node);

  @AfterEach
  void memoryIsGivenBack() {
    initiator.finish();
  }

  @Test
  void securityStageMayBeSkipped() {
    Received response = initiator.login();

    assertThat(response.text())
        .containsExactly("TargetPortalGroupTag=1", "MaxRecvDataSegmentLength=262144");
    assertThat(response.word(24)).as("StatSN").isZero();
    assertThat(response.word(28)).as("ExpCmdSN").isEqualTo(1);
    assertThat(response.word(32)).as("MaxCmdSN").isEqualTo(128);
    assertThat(response.header().getShort(14)).as("TSIH").isNotZero();
    assertThat(disk.attached).hasSize(1);
    assertThat(disk.attached.getFirst().initiator().name()).isEqualTo(NAME);
    assertThat(disk.attached.getFirst().initiator().isid()).isEqualTo(0x80_0000_01_0000L);
  }

  @Test
  void loginGoesThroughAllStages() {
    initiator.sendLogin(0x81, 0, WHO, WHERE, "AuthMethod=CHAP,None");
    Received security = initiator.receive();
    assertThat(security.flags()).isEqualTo(0x81);
    assertThat(security.text()).containsExactly("TargetPortalGroupTag=1", "AuthMethod=None");
    assertThat(security.header().getShort(14)).as("TSIH").isZero();

    initiator.sendLogin(0x04, 0, "HeaderDigest=None");
    Received first = initiator.receive();
    assertThat(first.flags()).isEqualTo(0x04);
    assertThat(first.text())
        .containsExactly("HeaderDigest=None", "MaxRecvDataSegmentLength=262144");

    initiator.sendLogin(0x87, 0, "DataDigest=None");
    Received last = initiator.receive();
    assertThat(last.flags()).isEqualTo(0x87);
    assertThat(last.text()).containsExactly("DataDigest=None");
    assertThat(last.word(24)).as("StatSN").isEqualTo(2);
    assertThat(last.header().getShort(14)).as("TSIH").isNotZero();
  }

  @Test
  void aTargetThatServesNothingRefusesLoginsButIsStillDiscovered() {
    disk.stop("The pool stopped.");

    initiator.sendLogin(0x87, 0, WHO, WHERE);
    expectRefused(0x0301);

    ScriptedInitiator looking = new ScriptedInitiator(node);
    looking.sendLogin(0x87, 0, WHO, "SessionType=Discovery");
    assertThat(looking.receive().status()).isZero();
    looking.finish();
  }

  @Test
  void textMayComeInSeveralRequests() {
    byte[] text = ScriptedInitiator.text(WHO, WHERE, "MaxBurstLength=65536");

    initiator.sendLoginText(0x44, 0, Arrays.copyOf(text, 20));
    Received empty = initiator.receive();
    assertThat(empty.flags()).isEqualTo(0x04);
    assertThat(empty.data()).isEmpty();
    initiator.sendLoginText(0x87, 0, Arrays.copyOfRange(text, 20, text.length));

    Received last = initiator.receive();
    assertThat(last.status()).isZero();
    assertThat(last.text()).contains("MaxBurstLength=65536");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "HeaderDigest=CRC32C,None | HeaderDigest=CRC32C",
        "HeaderDigest=None,CRC32C | HeaderDigest=None",
        "HeaderDigest=MD5 | HeaderDigest=Reject",
        "DataDigest=CRC32C | DataDigest=CRC32C",
        "MaxConnections=8 | MaxConnections=1",
        "MaxConnections=0 | MaxConnections=Reject",
        "InitialR2T=Yes | InitialR2T=Yes",
        "InitialR2T=No | InitialR2T=No",
        "InitialR2T=maybe | InitialR2T=Reject",
        "ImmediateData=Yes | ImmediateData=Yes",
        "ImmediateData=No | ImmediateData=No",
        "MaxBurstLength=16776192 | MaxBurstLength=1048576",
        "MaxBurstLength=0x10000 | MaxBurstLength=65536",
        "MaxBurstLength=511 | MaxBurstLength=Reject",
        "FirstBurstLength=16777215 | FirstBurstLength=262144",
        "FirstBurstLength=16777216 | FirstBurstLength=Reject",
        "DefaultTime2Wait=0 | DefaultTime2Wait=2",
        "DefaultTime2Wait=60 | DefaultTime2Wait=60",
        "DefaultTime2Retain=20 | DefaultTime2Retain=0",
        "MaxOutstandingR2T=16 | MaxOutstandingR2T=4",
        "MaxOutstandingR2T=1 | MaxOutstandingR2T=1",
        "DataPDUInOrder=No | DataPDUInOrder=Yes",
        "DataSequenceInOrder=No | DataSequenceInOrder=Yes",
        "ErrorRecoveryLevel=2 | ErrorRecoveryLevel=0",
        "ErrorRecoveryLevel=3 | ErrorRecoveryLevel=Reject",
        "TaskReporting=FastAbort,RFC3720 | TaskReporting=RFC3720",
        "iSCSIProtocolLevel=2 | iSCSIProtocolLevel=1",
        "IFMarker=Yes | IFMarker=No",
        "OFMarkInt=2048 | OFMarkInt=Reject",
        "SendTargets=All | SendTargets=Reject",
        "TargetAddress=192.0.2.1 | TargetAddress=Reject",
        "TargetAlias=x | TargetAlias=Reject",
        "TargetPortalGroupTag=7 | TargetPortalGroupTag=1",
        "X-com.example.key=1 | X-com.example.key=NotUnderstood",
        "Nonsense=-1 | Nonsense=NotUnderstood",
        "MaxRecvDataSegmentLength=100 | MaxRecvDataSegmentLength=Reject",
      })
  void keyIsAnsweredWithItsResult(String offered, String answered) {
    assertThat(initiator.login(offered).text()).contains(answered);
  }

  @ParameterizedTest
  @CsvSource({
    "InitiatorAlias=esx1",
    "MaxRecvDataSegmentLength=131072",
    "X#NodeArchitecture=x86",
    "SessionType=Normal"
  })
  void declarationNeedsNoAnswer(String declared) {
    assertThat(initiator.login(declared).text())
        .containsExactly("TargetPortalGroupTag=1", "MaxRecvDataSegmentLength=262144");
  }

  @Test
  void transferKeysAreIrrelevantInDiscovery() {
    initiator.sendLogin(
        0x87, 0, WHO, "SessionType=Discovery", "InitialR2T=Yes", "MaxBurstLength=512");

    assertThat(initiator.receive().text())
        .contains("InitialR2T=Irrelevant", "MaxBurstLength=Irrelevant");
  }

  @Test
  void namesAreComparedInLowerCase() {
    initiator.sendLogin(
        0x87, 0, "InitiatorName=IQN.2026-11.Example:HOST", "TargetName=" + TARGET.toUpperCase());

    assertThat(initiator.receive().status()).isZero();
    assertThat(disk.attached.getFirst().initiator().name()).isEqualTo(NAME);
  }

  @Test
  void unknownTargetIsNotFound() {
    initiator.sendLogin(0x87, 0, WHO, "TargetName=iqn.2026-11.io.coppice:other");

    expectRefused(0x0203);
  }

  @Test
  void initiatorWithoutExportIsForbidden() {
    RamDisk closed = new RamDisk(TARGET, 512, Set.of("iqn.2026-11.example:other"), Runnable::run);
    TargetNode guarded = ScriptedInitiator.node(closed);
    ScriptedInitiator stranger = new ScriptedInitiator(guarded);

    stranger.sendLogin(0x87, 0, WHO, WHERE);

    assertThat(stranger.receive().status()).isEqualTo(0x0202);
    stranger.expectDropped();
    assertThat(closed.attached).isEmpty();
    stranger.finish();
  }

  @Test
  void missingInitiatorNameIsToldSo() {
    initiator.sendLogin(0x87, 0, WHERE);

    expectRefused(0x0207);
  }

  @Test
  void missingTargetNameIsToldSo() {
    initiator.sendLogin(0x87, 0, WHO);

    expectRefused(0x0207);
  }

  @Test
  void otherSessionTypeIsToldSo() {
    initiator.sendLogin(0x87, 0, WHO, WHERE, "SessionType=Special");

    expectRefused(0x0209);
  }

  @Test
  void newerVersionIsToldSo() {
    var header = ScriptedInitiator.header(0x43, 0x87).put(2, (byte) 2).put(3, (byte) 1);

    initiator.send(header, ScriptedInitiator.text(WHO, WHERE));

    expectRefused(0x0205);
  }

  @Test
  void keySaidTwiceEndsTheLogin() {
    initiator.sendLogin(0x04, 0, WHO, WHERE, "MaxBurstLength=512");
    initiator.receive();
    initiator.sendLogin(0x87, 0, "MaxBurstLength=1024");

    expectRefused(0x0200);
  }

  /// No key is said twice: beside ours there is no other answer.
  @Test
  void tagOfThePortalGroupIsRejectedWhereOursHasBeenSaid() {
    initiator.sendLogin(0x04, 0, WHO, WHERE);
    initiator.receive();
    initiator.sendLogin(0x87, 0, "TargetPortalGroupTag=1");

    assertThat(initiator.receive().text()).containsExactly("TargetPortalGroupTag=Reject");
  }

  /// A request that changes whose login it is, or which, is none of this one's.
  @ParameterizedTest
  @CsvSource({"tag", "isid", "tsih", "cid"})
  void whatALoginBeganWithHoldsForAllOfIt(String changed) {
    initiator.sendLogin(0x81, 0, WHO, WHERE, "AuthMethod=None");
    assertThat(initiator.receive().status()).isZero();
    switch (changed) {
      case "tag" -> initiator.loginTag++;
      case "isid" -> initiator.isid++;
      case "cid" -> initiator.cid++;
      default -> {}
    }

    initiator.sendLogin(0x87, changed.equals("tsih") ? 1 : 0);

    expectRefused(0x0200);
  }

  /// The session of another ISID of the same initiator goes on when a login that began with its own
  /// one names that in its last request.
  @Test
  void loginThatChangesItsIsidEndsNoOtherSession() {
    initiator.login();
    ScriptedInitiator changing = new ScriptedInitiator(node);
    changing.isid = initiator.isid + 1;
    changing.sendLogin(0x81, 0, WHO, WHERE, "AuthMethod=None");
    assertThat(changing.receive().status()).isZero();
    changing.isid = initiator.isid;

    changing.sendLogin(0x87, 0);

    assertThat(changing.receive().status()).isEqualTo(0x0200);
    changing.expectDropped();
    initiator.ping(0x70, new byte[0]);
    assertThat(initiator.receive().opcode()).isEqualTo(0x20);
    assertThat(node.sessions().list()).hasSize(1);
    changing.finish();
  }

  /// Whoever speaks another protocol is not waited for until a header would be complete.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\n",
        "HEAD /",
        "P",
        "CONNECT a:1 HTTP/1.1\r\n",
        "SSH-2.0-x\r\n",
        "\u0016\u0003\u0001",
        "\u0001"
      })
  void firstBytesThatAreNoLoginEndTheConnection(String bytes) {
    initiator.sendRaw(bytes.getBytes(StandardCharsets.ISO_8859_1));

    initiator.expectNothing();
    initiator.expectDropped();
    assertThat(node.counters().of(PeerFault.NOT_LOGGED_IN)).isEqualTo(1);
  }

  @Test
  void loginThatComesByteByByteIsTaken() {
    ByteBuffer header = ScriptedInitiator.header(0x43, 0x87).putInt(16, 0x10).putInt(24, 1);

    for (byte piece : initiator.encode(header, ScriptedInitiator.text(WHO, WHERE))) {
      initiator.sendRaw(new byte[] {piece});
    }

    assertThat(initiator.receive().status()).isZero();
  }

  @Test
  void secondConnectionToASessionIsTooMany() {
    int tsih = initiator.login().header().getShort(14);
    ScriptedInitiator second = new ScriptedInitiator(node);
    second.cid = 1;

    second.sendLogin(0x87, tsih, WHO, WHERE);

    assertThat(second.receive().status()).isEqualTo(0x0206);
    second.finish();
  }

  @Test
  void handleOfNoSessionDoesNotExist() {
    initiator.sendLogin(0x87, 77, WHO, WHERE);

    expectRefused(0x020a);
  }

  @ParameterizedTest
  @CsvSource({"0x88", "0x86", "0x84", "0x8c", "0xc7"})
  void stagesOutOfOrderAreRefused(String flags) {
    initiator.sendLogin(Integer.decode(flags), 0, WHO, WHERE);

    expectRefused(0x020b);
  }

  @Test
  void failingSecretStoreIsATargetError() {
    TargetNode broken =
        ScriptedInitiator.node(
            IscsiLimits.defaults(),
            _ -> {
              throw new IllegalStateException("store is down");
            },
            disk);
    ScriptedInitiator unlucky = new ScriptedInitiator(broken);

    unlucky.sendLogin(0x87, 0, WHO, WHERE);

    assertThat(unlucky.receive().status()).isEqualTo(0x0300);
    unlucky.finish();
  }

  private void expectRefused(int status) {
    assertThat(initiator.receive().status()).isEqualTo(status);
    initiator.expectDropped();
    assertThat(node.counters().of(PeerFault.LOGIN_REFUSED)).isEqualTo(1);
    assertThat(disk.attached).isEmpty();
  }
}
