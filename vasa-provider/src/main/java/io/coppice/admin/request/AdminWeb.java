package io.coppice.admin.request;

import io.coppice.admin.Readiness;
import io.coppice.admin.edition.ConditionCheck;
import io.coppice.admin.edition.IfMatchArgument;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import java.time.Instant;
import java.util.List;
import org.springframework.format.FormatterRegistry;
import org.springframework.stereotype.Component;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.PathMatchConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import tools.jackson.databind.json.JsonMapper;

/// The controllers of all rooms of `admin`: put under [ApiFilter#ROOT], where roles, parameters,
/// conditions and bodies are checked.
@Component
final class AdminWeb implements WebMvcConfigurer {

  private final Readiness readiness;
  private final VirtualVolumes volumes;
  private final JsonMapper json;

  AdminWeb(Readiness readiness, VirtualVolumes volumes, JsonMapper json) {
    this.volumes = volumes;
    this.readiness = readiness;
    this.json = json;
  }

  @Override
  public void configurePathMatch(PathMatchConfigurer paths) {
    paths.addPathPrefix(ApiFilter.ROOT, ApiFilter.CONTROLLERS);
  }

  @Override
  public void addInterceptors(InterceptorRegistry interceptors) {
    interceptors.addInterceptor(new RoleCheck(readiness)).addPathPatterns(ApiFilter.ROOT + "/**");
    interceptors.addInterceptor(new QueryCheck()).addPathPatterns(ApiFilter.ROOT + "/**");
    interceptors.addInterceptor(new ConditionCheck()).addPathPatterns(ApiFilter.ROOT + "/**");
    interceptors.addInterceptor(new BodyCheck(json)).addPathPatterns(ApiFilter.ROOT + "/**");
    interceptors
        .addInterceptor(new ContainerCheck(volumes, json))
        .addPathPatterns(ApiFilter.ROOT + "/**");
  }

  @Override
  public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
    resolvers.add(new IfMatchArgument());
  }

  /// Times are those of ISO 8601, as in answers. Spring alone would take numbers, too. A parameter
  /// that may be repeated is one value each time. Spring alone would part it at its commas.
  @Override
  public void addFormatters(FormatterRegistry registry) {
    registry.addConverter(String.class, Instant.class, Instant::parse);
    registry.addConverter(String.class, List.class, List::of);
  }
}
