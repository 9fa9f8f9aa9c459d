package io.coppice.testcontainers;

import io.coppice.driver.esxi.EsxiHost;
import io.coppice.driver.iscsi.IscsiPath;
import io.coppice.driver.vcenter.VCenter;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.security.cert.X509Certificate;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.lifecycle.Startable;
import org.testcontainers.utility.DockerImageName;

/// A Coppice for tests: a provider on a new pool with a PostgreSQL of its own, each in a container,
/// and clients that play vCenter and ESXi against it.
///
///     try (CoppiceContainer coppice = new CoppiceContainer()) {
///       coppice.start();
///       String container = coppice.createStorageContainer("gold", 1L << 30);
///       EsxiHost host = coppice.esxiHost("esxi-1");
///       VirtualMachine machine = VirtualMachine.create(host, VmSpec.of("vm", container, 64, 4));
///       …
///     }
///
/// JUnit starts and stops one in a field with `@Container`. A start takes 10 to 20 s, so let the
/// tests of a class share one. [#stop] deletes all that it holds, and ends the clients that it
/// gave out. After it, [#start] makes a new and empty one.
///
/// Everything but the `with` methods needs a started one and throws [IllegalStateException]
/// otherwise. Safe for several threads; for the clients see their own classes.
public final class CoppiceContainer implements Startable {

  /// The name of the provider for other containers in its [#network]: `https://coppice:8443` for
  /// VASA, `https://coppice:9443` for REST, `coppice:3260` for iSCSI.
  public static final String NETWORK_ALIAS = Containers.ALIAS;

  private final ProviderImage image;
  private final Map<String, String> settings = new LinkedHashMap<>();
  private DockerImageName databaseImage = DockerImageName.parse("postgres:15");
  private @Nullable Site site;

  /// A Coppice of this module's version, from the image `coppice:VERSION`. No registry has that
  /// image: `./coppice package` makes it in a checkout of Coppice, and `docker load` loads it.
  public CoppiceContainer() {
    this(ProviderImage.ofThisVersion());
  }

  /// A Coppice from another image, for example one in your own registry.
  ///
  /// @param image as `docker run` takes it; one with a registry is pulled if the daemon lacks it
  public CoppiceContainer(String image) {
    this(new ProviderImage(DockerImageName.parse(image)));
  }

  private CoppiceContainer(ProviderImage image) {
    this.image = image;
  }

  /// Changes a setting of the provider. Without a change the pool is thin and has 8 GB.
  ///
  /// @param key one of `docs/settings.md`, with its prefix, as in `coppice.pool.capacity`
  /// @param value as it would stand in `application.yaml`
  /// @throws IllegalArgumentException if the key has another prefix; whether there is such a
  ///   setting, and whether it may have the value, is told by [#start]
  /// @throws IllegalStateException if it has been started
  public synchronized CoppiceContainer withSetting(String key, String value) {
    requireStopped();
    if (!key.startsWith("coppice.")) {
      throw new IllegalArgumentException(
          "expected a setting like coppice.pool.capacity, got " + key);
    }
    settings.put(key, value);
    return this;
  }

  /// Chooses another PostgreSQL than `postgres:15`.
  ///
  /// @param name an image that behaves as the official one, of version 15 or later
  /// @throws IllegalStateException if it has been started
  public synchronized CoppiceContainer withDatabaseImage(String name) {
    requireStopped();
    databaseImage = DockerImageName.parse(name);
    return this;
  }

  private void requireStopped() {
    if (site != null) {
      throw new IllegalStateException("expected a Coppice that is not started, this one is");
    }
  }

  /// Returns when volumes are served and calls are answered. A second call does nothing.
  ///
  /// @throws org.testcontainers.containers.ContainerFetchException if the daemon has no such image;
  ///   the message says how to make it
  /// @throws org.testcontainers.containers.ContainerLaunchException if the provider or PostgreSQL
  ///   did not start; the message has the end of its log. Nothing is left running
  /// @throws IllegalStateException if no Docker daemon answers
  @Override
  public synchronized void start() {
    if (site == null) {
      image.require();
      site = Site.of(Containers.start(image.name(), databaseImage, settings));
    }
  }

  /// Ends the clients and the containers, with the pool and the database. Does nothing if it is not
  /// started.
  @Override
  public synchronized void stop() {
    Site ended = site;
    site = null;
    if (ended != null) {
      ended.close();
    }
  }

  private synchronized Site started() {
    if (site == null) {
      throw new IllegalStateException("expected a started Coppice, call start() first");
    }
    return site;
  }

  /// The address below which the paths of the REST API stand: `restApi().resolve("volumes")`. Its
  /// host is the one of the Docker daemon and its port changes with each start.
  public URI restApi() {
    return started().management().api();
  }

  /// A token with the role `admin`: send it as `Authorization: Bearer TOKEN`.
  public String adminToken() {
    return started().token();
  }

  /// A client that trusts the provider's certificate and no other. It is closed by [#stop].
  public HttpClient httpClient() {
    return started().management().http();
  }

  /// The root of the provider's certificates, for clients of other kinds. It is made at the start,
  /// and signs for this machine's names of the provider and for [#NETWORK_ALIAS].
  public X509Certificate rootCertificate() {
    return started().management().root();
  }

  /// Makes a storage container, which every vVol and every plain volume needs.
  ///
  /// @param quotaBytes the sum of sizes that its volumes may have, at least 1 MiB
  /// @return its id
  /// @throws IllegalStateException if the provider refuses it, with the reason
  public String createStorageContainer(String name, long quotaBytes) {
    Site now = started();
    Map<String, Object> body = Map.of("name", name, "quota", quotaBytes);
    return now.management().post(now.token(), "containers", body).get("id").asString();
  }

  /// The address that a vCenter is given to register the provider (`version.xml`). The user is
  /// `vasa`, with [#vasaPassword].
  public URI vasaAddress() {
    return started().versionXml();
  }

  /// The password with which a vCenter registers.
  public String vasaPassword() {
    return started().vasaPassword();
  }

  /// The driver's vCenter, which the first call registers with the provider. There is one from
  /// start to stop; further ones can be made with [#vasaAddress] and [#vasaPassword].
  public VCenter vcenter() {
    return started().clients().vcenter();
  }

  /// A new ESXi host of [#vcenter], with an open VASA session and connected to the protocol
  /// endpoints, so that it can create and bind vVols. Closed by [#stop], if not before.
  ///
  /// @param name a DNS label, which its certificate and its initiator have, too
  public EsxiHost esxiHost(String name) {
    return started().clients().host(name);
  }

  /// The address for initiators on this machine. Give them the name of the target, too, as an
  /// export's answer has it: discovery names the container's own address.
  public InetSocketAddress iscsiPortal() {
    return started().portal();
  }

  /// A new session of the driver's initiator with a target; the disks of the target are read as
  /// `ScsiDisk.open(new LogicalUnit(path, Lun.simple(number)))`. Closed by [#stop], if not before.
  ///
  /// @param initiator the iSCSI name to log in with, to which the volume is exported
  /// @param target the iSCSI name of the target, as an export's answer has it
  /// @throws io.coppice.driver.iscsi.LoginRefusedException if the target refuses the login
  public IscsiPath initiator(String initiator, String target) {
    return started().clients().initiator(initiator, target);
  }

  /// The network of the two containers, for containers that need the provider as well.
  public Network network() {
    return started().containers().network();
  }

  /// The provider's container: its log, commands in it, or to pause it.
  public GenericContainer<?> provider() {
    return started().containers().provider();
  }
}
