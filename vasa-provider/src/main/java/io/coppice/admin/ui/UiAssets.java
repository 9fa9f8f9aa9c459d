package io.coppice.admin.ui;

import java.time.Duration;
import org.springframework.http.CacheControl;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.resource.EncodedResourceResolver;

/// The scripts, styles and fonts of the web UI. The name of each has a hash of its content, so a
/// browser may keep it for good; one of an older version is not found. The build has packed them:
/// what is sent is the packed form that the browser takes.
@Component
final class UiAssets implements WebMvcConfigurer {

  private static final Duration KEPT = Duration.ofDays(365);

  @Override
  public void addResourceHandlers(ResourceHandlerRegistry registry) {
    registry
        .addResourceHandler("/assets/**")
        .addResourceLocations("classpath:/ui/assets/")
        .setCacheControl(CacheControl.maxAge(KEPT).cachePrivate().immutable())
        .resourceChain(true)
        .addResolver(new EncodedResourceResolver());
  }
}
