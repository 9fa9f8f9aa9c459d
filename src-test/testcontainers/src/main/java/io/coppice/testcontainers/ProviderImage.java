package io.coppice.testcontainers;

import com.github.dockerjava.api.exception.NotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerFetchException;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.ImageNameSubstitutor;

/// The image of the provider: by default the one of this module's version, which no registry has.
record ProviderImage(DockerImageName name) {

  /// The image of the version that this module belongs to.
  static ProviderImage ofThisVersion() {
    Properties properties = new Properties();
    try (InputStream in = ProviderImage.class.getResourceAsStream("image.properties")) {
      if (in == null) {
        throw new IllegalStateException("expected image.properties beside this class, got nothing");
      }
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ProviderImage(DockerImageName.parse(properties.getProperty("image")));
  }

  /// Asks the daemon for the image, unless a registry has it, from where the start would pull it.
  ///
  /// @throws ContainerFetchException if it is missing; the message says how to make it
  void require() {
    DockerImageName meant = ImageNameSubstitutor.instance().apply(name);
    if (!meant.getRegistry().isEmpty()) {
      return;
    }
    String full = meant.asCanonicalNameString();
    try {
      DockerClientFactory.instance().client().inspectImageCmd(full).exec();
    } catch (NotFoundException e) {
      throw new ContainerFetchException(
          """
          expected the Docker daemon to have the image %s, it has not. In a checkout of Coppice:
            ./coppice package
            docker load -i vasa-provider/target/package/coppice-%s-image.tar"""
              .formatted(full, meant.getVersionPart()),
          e);
    }
  }
}
