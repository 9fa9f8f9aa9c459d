package io.coppice.admin;

import org.springframework.stereotype.Component;
import org.springframework.web.method.HandlerTypePredicate;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.PathMatchConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/// Puts the controllers of this package under [ApiFilter#ROOT] and checks roles there.
@Component
final class AdminWeb implements WebMvcConfigurer {

  private final Readiness readiness;

  AdminWeb(Readiness readiness) {
    this.readiness = readiness;
  }

  @Override
  public void configurePathMatch(PathMatchConfigurer paths) {
    paths.addPathPrefix(ApiFilter.ROOT, HandlerTypePredicate.forBasePackageClass(AdminWeb.class));
  }

  @Override
  public void addInterceptors(InterceptorRegistry interceptors) {
    interceptors.addInterceptor(new RoleCheck(readiness)).addPathPatterns(ApiFilter.ROOT + "/**");
  }
}
